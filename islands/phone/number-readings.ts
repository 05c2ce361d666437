import {
  type CountryCode,
  type MetadataJson,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core';
import { callingCodeOf } from './countries.ts';
import { dialledDigits } from './dialled-digits.ts';
import { currentForm } from './former-notations.ts';

/** The numbering plan for digits that begin with a calling code; undefined if there is none, or it is unknown. */
export type PlanOf = (digits: string) => Promise<MetadataJson | undefined>;

/** Position of the call prefix, as a pattern, in a country's metadata. */
const callPrefixAt = 1;

/** What follows the country's own call prefix, as libphonenumber strips it; empty without the prefix. */
function afterCallPrefix(digits: string, plan: MetadataJson, country: string): string {
  const pattern = plan.countries[country as CountryCode]?.[callPrefixAt];
  const [prefix = ''] = (pattern && new RegExp(`^(?:${pattern})`).exec(digits)) || [];
  const rest = digits.slice(prefix.length);
  return prefix && !rest.startsWith('0') ? rest : '';
}

/**
 * The valid numbers that a text can mean, the likeliest first: libphonenumber's reading in the selected country; then
 * what it would mean with `00` for a call prefix, as in most countries, and with the country's calling code but no
 * plus. A former notation counts only if nothing else is valid.
 * @param country selected by the visitor, ISO 3166 alpha-2
 */
export async function readingsOf(
  typedPhone: string,
  country: string,
  planOf: PlanOf,
): Promise<PhoneNumber[]> {
  const digits = dialledDigits(typedPhone);
  const calling = callingCodeOf(country);
  const own = calling ? await planOf(calling) : undefined;
  const read = async (written: string): Promise<PhoneNumber[]> => {
    const isAbroad = written.startsWith('+');
    const plan = isAbroad ? await planOf(written.slice(1)) : own;
    const defaultCountry = isAbroad ? undefined : (country as CountryCode);
    const options = { ...(defaultCountry && { defaultCountry }), extract: false };
    const phone = plan && parsePhoneNumberFromString(written, options, plan);
    return phone?.isValid() ? [phone] : [];
  };
  const abroad = own && afterCallPrefix(digits, own, country);
  const dialled = abroad ? `+${abroad}` : digits;
  const [first] = await read(dialled);
  const others = [
    ...(digits.startsWith('00') ? [`+${digits.slice(2)}`] : []),
    ...(first && calling && digits.startsWith(calling) ? [`+${digits}`] : []),
  ];
  const found = (await Promise.all(others.map(read))).flat();
  if (!first && found.length === 0) {
    const whole = dialled.startsWith('+') ? dialled.slice(1) : calling + dialled;
    const forms = [whole, ...(digits.startsWith(calling) ? [digits] : [])].flatMap(currentForm);
    return (await Promise.all(forms.map((form) => read(`+${form}`)))).flat().slice(0, 1);
  }
  // Nobody writes a national prefix after `00` and a calling code, so a number without all digits is not meant.
  const meant = found.filter(({ number }) => !first || others.includes(number));
  return [...new Map([first ?? [], meant].flat().map((phone) => [phone.number, phone])).values()];
}
