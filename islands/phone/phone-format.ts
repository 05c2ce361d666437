import {
  AsYouType,
  type CountryCode,
  type MetadataJson,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core';

export interface Rules {
  /** Formats an international number, `+44…`. */
  format(text: string): string;
  /** The format of a country's numbers; see `number-groups.ts`. */
  groups(country: string): string | undefined;
  /** Country and national form of a complete number; null when it is impossible. */
  read(digits: string): { country: string; national: string } | null;
  isPossible(text: string, country: string): boolean;
  /** An example number in national format; empty for a country outside the slice. */
  example(country: string): string;
}

export type Slice = MetadataJson & {
  examples?: Record<string, string>;
  groups?: Record<string, string>;
};

export function rulesIn(slice: Slice): Rules {
  const known = (country: string): country is CountryCode => country in slice.countries;
  return {
    format: (text) => new AsYouType(undefined, slice).input(text),
    groups: (country) => slice.groups?.[country],
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
