import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { countriesIn } from '../../../islands/phone/countries.ts';

it('knows every country of libphonenumber, with the same calling code', () => {
  const ours = new Map(countriesIn('en').map(({ code, calling }) => [code, calling]));
  for (const code of getCountries())
    expect([code, ours.get(code)]).toEqual([code, getCountryCallingCode(code)]);
  expect(ours.size).toBe(getCountries().length);
});

it('orders them as the language does', () => {
  const names = countriesIn('de').map(({ name }) => name);
  expect(names.indexOf('Ägypten')).toBeLessThan(names.indexOf('Albanien'));
});
