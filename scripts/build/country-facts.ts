import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import type { CountryFacts } from '../../worker/rendering/country-facts.ts';
import { numberGroups } from './number-groups.ts';

const examplesFile = createRequire(import.meta.url).resolve(
  'libphonenumber-js/examples.mobile.json',
);
const examples = JSON.parse(readFileSync(examplesFile, 'utf8'));
const groups = numberGroups();

/** Facts for pages about each country's phone numbers, without the numbering plans. */
export function countryFacts(language: string): CountryFacts {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return Object.fromEntries(
    getCountries().map((code) => {
      const example = getExampleNumber(code, examples)?.formatNational() ?? '';
      return [code, [example, groups[code] ?? '', names.of(code) ?? code]];
    }),
  );
}
