import examples from 'libphonenumber-js/examples.mobile.json';
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
} from 'libphonenumber-js/max';

export interface Country {
  code: string;
  name: string;
  calling: string;
  /** A mobile number as the country writes one; nobody's. */
  example: string;
}

/** By country, so at most as many as libphonenumber knows. */
const written = new Map<CountryCode, string>();

function exampleOf(country: CountryCode): string {
  const example =
    written.get(country) ?? getExampleNumber(country, examples)?.formatNational() ?? '';
  written.set(country, example);
  return example;
}

/** A country's name in a language, its calling code and an example; of the United States when unknown. */
export function countryOf(code: string, language: string): Country {
  const known = isSupportedCountry(code) ? code : 'US';
  const name = new Intl.DisplayNames([language], { type: 'region' }).of(known) ?? known;
  return { code: known, name, calling: getCountryCallingCode(known), example: exampleOf(known) };
}
