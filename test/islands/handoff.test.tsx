import { expect, it } from 'vitest';
import Handoff from '../../islands/handoff.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('waits in a box of the code’s size, and leads nowhere before there is a link', () => {
  const html = htmlOf(<Handoff text={text.handoff} />);
  expect(wordsOf(html)).toContain('Preparing your link Get the app Mail me the link');
  expect(html).not.toMatch(/href=|<dialog/);
});

it('keeps the code within reach on a phone, for another phone', () => {
  const html = htmlOf(<Handoff text={text.handoff} />);
  expect(html).toMatch(/<details[^>]*><summary[^>]*>Open on another phone<\/summary>/);
  expect(html).not.toContain('<details open');
});
