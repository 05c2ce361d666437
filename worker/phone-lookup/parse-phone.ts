export interface Phone {
  number: string;
  /** `+4915123456789`. */
  e164: string;
  country: string | null;
  callingCode: string;
  /** `mobile`, `fixed_line` …; null where the numbering plan does not say. */
  type: string | null;
}

const maxLength = 60;

/** Accepts `+` or `00`, spaces and dashes; null if invalid. @param country of a national number, ISO 3166 */
export async function parsePhone(text: string, country: string): Promise<Phone | null> {
  const written = text.trim();
  if (written.length > maxLength) return null;
  // A fifth of the Worker's code, which no page needs.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/max');
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
