import * as v from 'valibot';
import type { Env } from '../platform/env.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import type { Phone } from './parse-phone.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(0));
/** A number and not a name, because a name cannot receive replies such as STOP. */
const e164 = v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/));
const country = v.object({ cents, from: v.optional(e164) });
const countries = v.record(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), country);

export type CountryRule = v.InferOutput<typeof country>;

/** A variable with JSON; undefined, after a log line, if it is malformed. */
export function readVariable<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string | undefined,
  variable: string,
  log: Log,
): v.InferOutput<Schema> | undefined {
  if (!text) return undefined;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch (error) {
    const reason = reasonOf(error);
    log('error', 'config_refused', { variable, reason });
    return undefined;
  }
}

export function countryRule(
  env: Pick<Env, 'SMS_COUNTRIES'>,
  code: string | null,
  log: Log,
): CountryRule | undefined {
  const rules = readVariable(countries, env.SMS_COUNTRIES, 'SMS_COUNTRIES', log) ?? {};
  return code !== null && Object.hasOwn(rules, code) ? rules[code] : undefined;
}

const textedTypes = new Set([null, 'mobile', 'fixed_line_or_mobile']);

/** @param type of the number, as the numbering plan says; null where it does not */
export const canGetSms = (type: string | null): boolean => textedTypes.has(type);

export type Line = 'mobile' | 'landline' | 'unknown';

export function lineType(type: string | null): Line {
  if (type === 'mobile') return 'mobile';
  return canGetSms(type) ? 'unknown' : 'landline';
}

/** Why we send no SMS to a number; null if we do. The look-up says it before the sale, and sending refuses it. */
export function smsRefusal(
  env: Pick<Env, 'SMS_COUNTRIES'>,
  { country: code, type }: Pick<Phone, 'country' | 'type'>,
  log: Log,
): 'country_not_supported' | 'number_not_mobile' | null {
  if (!countryRule(env, code, log)) return 'country_not_supported';
  return canGetSms(type) ? null : 'number_not_mobile';
}
