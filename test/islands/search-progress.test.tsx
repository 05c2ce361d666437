import { expect, it } from 'vitest';
import SearchProgress from '../../islands/search-progress.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

const html = htmlOf(<SearchProgress text={text['search-progress']} action="/searching" />);

it('search progress: lists its steps and continues without JavaScript', () => {
  expect(wordsOf(html)).toBe(
    'Reading the number Identifying the operator Checking the region Preparing the invitation Continue',
  );
  expect(html).toMatch(/<form[^>]* action="\/searching" method="post"/);
  expect(html).not.toContain('aria-busy');
});

it('search progress: shows no unverified result', () => {
  expect(wordsOf(html)).not.toContain(text['search-progress'].done);
});
