import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
} from 'libphonenumber-js/max';
import type { Plugin } from 'vite';
import { numberGroups } from './number-groups.ts';

const examplesFile = createRequire(import.meta.url).resolve(
  'libphonenumber-js/examples.mobile.json',
);
const id = '\0virtual:countries';
const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** `virtual:countries`: facts for pages about each country's phone numbers, without the numbering plans. */
export const countryFacts: Plugin = {
  name: 'country-facts',
  resolveId: (source) => (source === 'virtual:countries' ? id : null),
  load(loaded) {
    if (loaded !== id) return null;
    const examples = JSON.parse(readFileSync(examplesFile, 'utf8'));
    const groups = numberGroups();
    const factsOf = (code: CountryCode) => {
      const example = getExampleNumber(code, examples)?.formatNational() ?? '';
      const name = names.of(code) ?? code;
      return [code, [getCountryCallingCode(code), example, groups[code] ?? '', name]];
    };
    return `export default ${JSON.stringify(Object.fromEntries(getCountries().map(factsOf)))};`;
  },
};
