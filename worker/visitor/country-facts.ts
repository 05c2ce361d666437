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
  exampleNumber: string;
}

function read(code: CountryCode, language: string): Country {
  const name = new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
  const example = getExampleNumber(code, examples)?.formatNational() ?? '';
  return { code, name, callingCode: getCountryCallingCode(code), exampleNumber: example };
}

/** Bounded by our languages and libphonenumber's countries. */
const countries = new Map<string, Country>();

export function countryOf(code: string, language: string): Country {
  const supported = isSupportedCountry(code) ? code : 'US';
  const key = `${language}|${supported}`;
  const country = countries.get(key) ?? read(supported, language);
  countries.set(key, country);
  return country;
}
