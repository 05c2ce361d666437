import { expect, it } from 'vitest';
import { PageTitle } from '../../../screens/parts/page-title.tsx';
import { htmlOf } from '../page-fixture.tsx';

it.each([
  ['Know they’re OK.', false],
  ['Where should we send their answer?', true],
  ['無事が、わかる。', false],
  ['先にメールアドレスを入力', true],
])('page title: a large %s is smaller on desktops: %s', (title, smaller) => {
  expect(/class="[^"]*smaller/.test(htmlOf(<PageTitle title={title} large />))).toBe(smaller);
});

it('page title: all screens but the landings have one size', () => {
  expect(htmlOf(<PageTitle title="Receipt" />)).toMatch(/class="[^"]*smaller/);
});
