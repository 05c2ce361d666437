import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { countriesIn } from '../../../islands/phone/countries.ts';

it('countries: match those of libphonenumber with their calling codes', () => {
  const ours = new Map(countriesIn('en').map(({ code, calling }) => [code, calling]));
  for (const code of getCountries())
    expect([code, ours.get(code)]).toEqual([code, getCountryCallingCode(code)]);
  expect(ours.size).toBe(getCountries().length);
});

it('countries: are sorted by the language', () => {
  const names = countriesIn('de').map(({ name }) => name);
  expect(names.indexOf('Ägypten')).toBeLessThan(names.indexOf('Albanien'));
});
