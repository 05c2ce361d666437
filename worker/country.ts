import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';

export interface Country {
  code: string;
  name: string;
  calling: string;
}

/** A country's name in a language and its calling code; of the United States when unknown. */
export function countryOf(code: string, language: string): Country {
  const known = isSupportedCountry(code) ? code : 'US';
  const name = new Intl.DisplayNames([language], { type: 'region' }).of(known) ?? known;
  return { code: known, name, calling: getCountryCallingCode(known) };
}
