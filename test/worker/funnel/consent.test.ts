import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Choice,
  choiceIn,
  consentValue,
  permissionsOf,
} from '../../../worker/funnel/consent.ts';

const all = { measuring: true, ads: true };
const none = { measuring: false, ads: false };

test.each([
  ['asked, not answered', true, null, false, none],
  ['asked, yes', true, 'yes', false, all],
  ['asked, no', true, 'no', false, none],
  ['not asked', false, null, false, all],
  ['not asked, the browser objects', false, null, true, { measuring: true, ads: false }],
  ['not asked, the browser objects, yes all the same', false, 'yes', true, all],
  ['not asked, no', false, 'no', false, none],
] as [string, boolean, Choice | null, boolean, typeof all][])(
  '%s',
  (_, asks, choice, objects, may) => expect(permissionsOf(asks, choice, objects)).toEqual(may),
);

test('what was chosen is read back; under other words, or by another hand, nothing was', () => {
  expect([choiceIn(consentValue('yes')), choiceIn(consentValue('no'))]).toEqual(['yes', 'no']);
  for (const other of ['0.yes', '2.no', 'yes', '', undefined, '1.yes ', '1.maybe']) {
    expect(choiceIn(other)).toBeNull();
  }
});

test('ads are never told more than our own figures are', () => {
  const choices = fc.constantFrom<Choice | null>('yes', 'no', null);
  fc.assert(
    fc.property(fc.boolean(), choices, fc.boolean(), (asks, choice, objects) => {
      const { measuring, ads } = permissionsOf(asks, choice, objects);
      return measuring || !ads;
    }),
  );
});
