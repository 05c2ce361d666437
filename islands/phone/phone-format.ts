import {
  AsYouType,
  type CountryCode,
  type MetadataJson,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core';

/** The numbering rules of one calling code. */
export interface Rules {
  /** A number as it is written so far, national to a country unless it begins with a plus. */
  format(text: string, country: string): string;
  /** Country and national form of a whole number; null when it can not be one. */
  read(digits: string): { country: string; national: string } | null;
  /** Whether a number has a length that the country's numbers have. */
  isPossible(text: string, country: string): boolean;
  /** A number as the country writes one; empty for one that the slice has not. */
  example(country: string): string;
}

/** A slice, with national digits of an example by country. */
export type Slice = MetadataJson & { examples?: Record<string, string> };

/** Reads a slice of libphonenumber's metadata. */
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
