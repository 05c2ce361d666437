import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Phone {
  /** International format, `+49 1512 3456789`. */
  number: string;
  /** `+4915123456789`. */
  e164: string;
  country: string | null;
  callingCode: string;
  /** `mobile`, `fixed_line` …; null where the numbering plan does not say. */
  type: string | null;
}

const maxLength = 60;

/**
 * Parses a national or international number, with `+` or `00`, spaces and dashes.
 * @param country ISO 3166 alpha-2 of a national number; an unknown country is ignored
 * @returns null for an invalid number
 */
export function parsePhone(text: string, country: string): Phone | null {
  const written = text.trim();
  if (written.length > maxLength) return null;
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
