import type { MetadataJson } from 'libphonenumber-js/core';
import { callingCodeOf } from '../../islands/phone/countries.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import { planName, readShard } from './data-shards.ts';

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
/** An extension, which no number that we read has. */
const extension = /[\p{L}#~,;*]/u;

/** Null if invalid. @param country ISO 3166 @throws Refusal `phone_lookup_failed` without the numbering plan */
export async function parsePhone(
  env: Pick<Env, 'ASSETS'>,
  text: string,
  country: string,
  log: Log,
): Promise<Phone | null> {
  const written = text.trim();
  if (written.length > maxLength) return null;
  const { parseIncompletePhoneNumber, parsePhoneNumberFromString } = await import(
    'libphonenumber-js/core'
  );
  const code = country.toUpperCase();

  async function planOf(digits: string): Promise<MetadataJson | undefined> {
    const name = planName(digits);
    const plan = name && (await readShard<MetadataJson>(env, `plans/${name}`, log));
    if (plan === null) throw new Refusal('phone_lookup_failed');
    return plan || undefined;
  }

  async function read(form: string) {
    const digits = parseIncompletePhoneNumber(form);
    const isInternational = digits.startsWith('+');
    const plan = await planOf(isInternational ? digits.slice(1) : callingCodeOf(code));
    if (!plan) return;
    const [, abroad = ''] = isInternational ? [] : (plan.countries[code as 'US'] ?? []);
    const dialled = abroad && digits.replace(new RegExp(`^(?:${abroad})(?=[1-9])`), '+');
    if (dialled.startsWith('+') && !extension.test(form)) return read(dialled);
    return parsePhoneNumberFromString(form, { defaultCountry: code as 'US', extract: false }, plan);
  }

  const forms = written.startsWith('00') ? [`+${written.slice(2)}`, written] : [written];
  for (const form of forms) {
    const phone = await read(form.replace(/^＋/, '+'));
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
