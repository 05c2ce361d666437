import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Phone {
  /** International format, `+49 1512 3456789`. */
  number: string;
  /** `+4915123456789`. */
  e164: string;
  /** ISO 3166 alpha-2; null for a number of no country. */
  country: string | null;
  /** `49`. */
  callingCode: string;
  /** `mobile`, `fixed_line` …; null where the country's numbering does not tell. */
  type: string | null;
}

const longest = 60;

/**
 * Reads a number as people write it: national or international, with `+` or `00`, spaces, dashes.
 *
 * @param country ISO 3166 alpha-2 that a national number belongs to; any other text is ignored
 * @returns null when it is not a valid number
 */
export function parsePhone(text: string, country: string): Phone | null {
  const written = text.trim();
  if (written.length > longest) return null;
  const code = country.toUpperCase();
  const defaultCountry = isSupportedCountry(code) ? code : undefined;
  const forms = written.startsWith('00') ? [`+${written.slice(2)}`, written] : [written];
  for (const form of forms) {
    const phone = parsePhoneNumberFromString(form, { defaultCountry, extract: false });
    if (!phone?.isValid() || phone.ext) continue;
    return {
      number: phone.formatInternational(),
      e164: phone.number,
      country: phone.country ?? null,
      callingCode: phone.countryCallingCode,
      type: phone.getType()?.toLowerCase() ?? null,
    };
  }
  return null;
}
