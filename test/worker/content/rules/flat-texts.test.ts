import { expect, test } from 'vitest';
import { flatTexts } from '../../../../worker/content/rules/flat-texts.ts';

test('content: every text has a key of its path; lists are left out', () => {
  expect(flatTexts({ a: { b: 'x', c: ['y'] }, d: 'z' })).toEqual({ 'a.b': 'x', d: 'z' });
});
