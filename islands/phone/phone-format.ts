import {
  AsYouType,
  type CountryCode,
  type MetadataJson,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core';

export { readingsOf } from './number-readings.ts';

export interface Rules {
  plan: MetadataJson;
  /** Formats an international number, `+44…`. */
  format(text: string): string;
  /** The format of a country's numbers; see `number-groups.ts`. */
  groups(country: string): string | undefined;
  /** Whether a country has numbers of this length. */
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
    plan: slice,
    format: (text) => new AsYouType(undefined, slice).input(text),
    groups: (country) => slice.groups?.[country],
    isPossible: (text, country) => {
      if (!known(country)) return true;
      const options = { defaultCountry: country, extract: false };
      return parsePhoneNumberFromString(text, options, slice)?.isPossible() ?? false;
    },
    example: (country) => {
      const digits = slice.examples?.[country];
      if (!digits || !known(country)) return '';
      return parsePhoneNumberFromString(digits, country, slice)?.formatNational() ?? '';
    },
  };
}
