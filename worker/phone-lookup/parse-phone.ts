import type { MetadataJson } from 'libphonenumber-js/core';
import type { Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { planFile, readShard } from './data-shards.ts';

export interface Phone {
  /** As people write it, with the calling code. */
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
 * The numbers that a text can mean, the likeliest first; empty if it is none. `islands/phone/number-readings.ts` reads
 * it in the browser too.
 * @param country ISO 3166 @throws Refusal `phone_lookup_failed` without a numbering plan
 */
export async function parsePhones(
  env: Pick<Env, 'ASSETS'>,
  typedPhone: string,
  country: string,
  log: Log,
): Promise<Phone[]> {
  if (typedPhone.trim().length > maxLength) return [];
  const { readingsOf } = await import('../../islands/phone/number-readings.ts');
  const found = await readingsOf(typedPhone, country.toUpperCase(), async (digits) => {
    const name = planFile(digits);
    const plan = name && (await readShard<MetadataJson>(env, `plans/${name}`, log));
    if (plan === null) throw new Refusal('phone_lookup_failed');
    return plan || undefined;
  });
  return found.map((phone) => ({
    number: phone.formatInternational(),
    e164: phone.number,
    country: phone.country ?? null,
    callingCode: phone.countryCallingCode,
    type: phone.getType()?.toLowerCase() ?? null,
  }));
}

/** Null if invalid. @throws Refusal `phone_ambiguous` if it can be several numbers, `phone_lookup_failed` */
export async function parsePhone(...args: Parameters<typeof parsePhones>): Promise<Phone | null> {
  const [phone, ...others] = await parsePhones(...args);
  if (others.length > 0) throw new Refusal('phone_ambiguous');
  return phone ?? null;
}
