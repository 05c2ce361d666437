import {
  AsYouType,
  type CountryCode,
  type MetadataJson,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/core';
import { digitsOf } from '../../locales/format/plain-text.ts';

export { readingsOf } from './number-readings.ts';

export type LengthFault = 'short' | 'long' | 'invalid' | '';

export interface Rules {
  plan: MetadataJson;
  /** Formats an international number, `+44…`. */
  format(text: string): string;
  /** A valid number with its national prefix, as libphonenumber writes it; undefined for other texts. */
  whole(text: string, country: string): string | undefined;
  /** The format of a country's numbers; see `number-groups.ts`. */
  groups(country: string): string | undefined;
  /** What is wrong with the length in every number of the country; empty if nothing is. */
  lengthFault(text: string, country: string): LengthFault;
  /** An example number in national format; empty for a country outside the slice. */
  example(country: string): string;
}

export type NumberingSlice = MetadataJson & {
  examples?: Record<string, string>;
  groups?: Record<string, string>;
};

export function rulesIn(slice: NumberingSlice): Rules {
  const known = (country: string): country is CountryCode => country in slice.countries;
  const read = (text: string, country?: CountryCode) =>
    parsePhoneNumberFromString(
      text,
      { ...(country && { defaultCountry: country }), extract: false },
      slice,
    );
  return {
    plan: slice,
    format: (text) => {
      const phone = read(text);
      return phone?.isValid()
        ? phone.formatInternational()
        : new AsYouType(undefined, slice).input(text);
    },
    whole: (text, country) => {
      const phone = known(country) ? read(text, country) : undefined;
      const national = phone?.isValid() ? phone.formatNational() : '';
      return digitsOf(national) === digitsOf(text) ? national : undefined;
    },
    groups: (country) => slice.groups?.[country],
    lengthFault: (text, country) => {
      if (!known(country)) return '';
      const options = { defaultCountry: country, extract: false };
      const fault = validatePhoneNumberLength(text, options, slice);
      if (fault === 'TOO_SHORT') return 'short';
      if (fault === 'TOO_LONG') return 'long';
      return fault ? 'invalid' : '';
    },
    example: (country) => {
      const digits = slice.examples?.[country];
      if (!digits || !known(country)) return '';
      return parsePhoneNumberFromString(digits, country, slice)?.formatNational() ?? '';
    },
  };
}
