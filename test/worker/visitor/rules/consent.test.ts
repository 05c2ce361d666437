import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Choice,
  choiceIn,
  consentValue,
  consentVersion,
  permissionsOf,
} from '../../../../worker/visitor/rules/consent.ts';

const all = { measuring: true, ads: true };
const none = { measuring: false, ads: false };

test.for([
  ['asked, not answered', true, null, false, none],
  ['asked, yes', true, 'yes', false, all],
  ['asked, no', true, 'no', false, none],
  ['not asked', false, null, false, all],
  ['not asked, the browser objects', false, null, true, { measuring: true, ads: false }],
  ['not asked, the browser objects, yes all the same', false, 'yes', true, all],
  ['not asked, no', false, 'no', false, none],
] as [string, boolean, Choice | null, boolean, typeof all][])(
  'consent rules: permissions when %s',
  ([, consentRequired, choice, objects, may]) =>
    expect(permissionsOf(consentRequired, choice, objects)).toEqual(may),
);

test('consent rules: a cookie is read back, a tampered or outdated one is not', () => {
  expect([choiceIn(consentValue('yes')), choiceIn(consentValue('no'))]).toEqual(['yes', 'no']);
  for (const other of ['0.yes', '2.no', 'yes', '', undefined, '3.yes ', '3.maybe'])
    expect(choiceIn(other)).toBeNull();
});

test('consent rules: ads are never allowed without measuring', () => {
  const choices = fc.constantFrom<Choice | null>('yes', 'no', null);
  fc.assert(
    fc.property(fc.boolean(), choices, fc.boolean(), (consentRequired, choice, objects) => {
      const { measuring, ads } = permissionsOf(consentRequired, choice, objects);
      return measuring || !ads;
    }),
  );
});

test('consent rules: a changed text needs a new version, in every language', () => {
  const languages = globSync('locales/*/islands.json').map((file) => basename(dirname(file)));
  const bannerTexts = languages.sort().map((language) => {
    const words = JSON.parse(readFileSync(`locales/${language}/islands.json`, 'utf8'));
    return [language, Object.entries(words['consent-banner']).sort()];
  });
  expect(bannerTexts).toHaveLength(14);
  const hash = createHash('sha256').update(JSON.stringify(bannerTexts)).digest('hex');
  expect([consentVersion, hash]).toEqual([
    3,
    '12bff7d62fe09f43945ba5ba7f33c44dec45a9e055daaf5bffbbfc8ea7cc1a3c',
  ]);
});
