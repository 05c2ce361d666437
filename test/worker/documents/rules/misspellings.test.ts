import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  didYouMean,
  similarName,
  unusedFields,
} from '../../../../worker/documents/rules/misspellings.ts';

const names = ['screens.common.terms', 'screens.common.privacy', 'weight', 'wet', 'y'];

test.each([
  ['screens.comon.terms', 'screens.common.terms'],
  ['screens.common.term', 'screens.common.terms'],
  ['scrns.cmmn.terms', 'screens.common.terms'],
  ['scrns.cmmn.trms', undefined],
  ['wieght', 'weight'],
  ['eight', 'weight'],
  ['weights', 'weight'],
  ['wat', 'wet'],
  ['something else', undefined],
  ['x', undefined],
  ['', undefined],
])('misspellings: for %s the suggestion is %s', (written, meant) => {
  expect(similarName(written, names)).toBe(meant);
});

test('misspellings: the nearest of several names is suggested', () => {
  expect(similarName('monthly_4d', ['monthly', 'monthly_75d', 'monthly_3d'])).toBe('monthly_3d');
});

test('misspellings: a few wrong letters anywhere in a long name are found', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 12, maxLength: 20 });
  const edits = fc.array(fc.tuple(fc.nat(19), fc.constantFrom('', 'x', 'yz')), { maxLength: 2 });
  fc.assert(
    fc.property(letters, edits, (name, changes) => {
      const written: string[] = [...name];
      for (const [at, letter] of changes) written.splice(at, 1, letter);
      const text = written.join('');
      expect(similarName(text, [name.join('')])).toBe(name.join(''));
    }),
  );
});

test('misspellings: values that are not strings get no suggestion', () => {
  expect([didYouMean(7, names), didYouMean(undefined, ['undefine'])]).toEqual(['', '']);
  expect(didYouMean('wieght', names)).toBe('; did you mean weight?');
});

test('misspellings: fields that a schema dropped are reported with their path', () => {
  const written = { all: [{ wieght: 1, y: 2 }], none: {} };
  expect(unusedFields(written, { all: [{ y: 2 }] }, names)).toEqual([
    { path: 'all.0.wieght', reason: 'this field is not used; did you mean weight?' },
    { path: 'none', reason: 'this field is not used' },
  ]);
});
