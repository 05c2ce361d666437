import { expect, test } from 'vitest';
import { flatTexts, similarKey } from '../../../../worker/content/rules/flat-texts.ts';

test('content: every text has a key of its path; lists are left out', () => {
  expect(flatTexts({ a: { b: 'x', c: ['y'] }, d: 'z' })).toEqual({ 'a.b': 'x', d: 'z' });
});

test.each([
  ['screens.comon.terms', 'screens.common.terms'],
  ['screens.common.term', 'screens.common.terms'],
  ['something else', null],
  ['', null],
])('content: %s may mean %s', (key, meant) => {
  expect(similarKey(key, ['screens.common.terms', 'screens.common.privacy'])).toBe(meant);
});
