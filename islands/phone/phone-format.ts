import {
  AsYouType,
  type CountryCode,
  type MetadataJson,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core';

export interface Rules {
  format(text: string, country: string): string;
  /** Country and national form of a complete number; null when it is impossible. */
  read(digits: string): { country: string; national: string } | null;
  isPossible(text: string, country: string): boolean;
  /** An example number in national format; empty for a country outside the slice. */
  example(country: string): string;
}

export type Slice = MetadataJson & { examples?: Record<string, string> };

export function rulesIn(slice: Slice): Rules {
  const known = (country: string): country is CountryCode => country in slice.countries;
  return {
    format: (text, country) => {
      if (text.startsWith('+')) return new AsYouType(undefined, slice).input(text);
      return known(country) ? new AsYouType(country, slice).input(text) : text;
    },
    read: (digits) => {
      const phone = parsePhoneNumberFromString(`+${digits}`, slice);
      if (!phone?.isPossible()) return null;
      const [main] = Object.keys(slice.countries);
      const country = phone.country ?? phone.getPossibleCountries()[0] ?? main;
      return country ? { country, national: phone.formatNational() } : null;
    },
    isPossible: (text, country) => {
      if (!known(country)) return true;
      const phone = parsePhoneNumberFromString(
        text,
        { defaultCountry: country, extract: false },
        slice,
      );
      return phone?.isPossible() ?? false;
    },
    example: (country) => {
      const digits = slice.examples?.[country];
      if (!digits || !known(country)) return '';
      return parsePhoneNumberFromString(digits, country, slice)?.formatNational() ?? '';
    },
  };
}
