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
  callingCode: string;
  /** A mobile number as the country writes one; nobody's. */
  exampleNumber: string;
}

function read(code: CountryCode, language: string): Country {
  const name = new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
  const example = getExampleNumber(code, examples)?.formatNational() ?? '';
  return { code, name, callingCode: getCountryCallingCode(code), exampleNumber: example };
}

/** By language and country: at most as many as we speak, and libphonenumber knows. */
const countries = new Map<string, Country>();

/**
 * A country's name in a language, its calling code and an example; of the United States when unknown.
 *
 * @param language one of ours
 */
export function countryOf(code: string, language: string): Country {
  const known = isSupportedCountry(code) ? code : 'US';
  const key = `${language}|${known}`;
  const country = countries.get(key) ?? read(known, language);
  countries.set(key, country);
  return country;
}
