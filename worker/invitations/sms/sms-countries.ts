import * as v from 'valibot';
import type { Env } from '../../env.ts';
import { type Log, reasonOf } from '../../log.ts';
import { defaultLimits, type SmsLimits } from '../rules/sms-limits.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
/** A number and not a name, because a name cannot receive replies such as STOP. */
const e164 = v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/));
const country = v.object({ cents: whole, from: v.optional(e164) });
const countries = v.record(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), country);
const limits = v.partial(
  v.object({
    account: whole,
    number: whole,
    prefix: whole,
    country: whole,
    day: whole,
    cents: whole,
  }),
);

export type CountryRule = v.InferOutput<typeof country>;

function read<Schema extends v.GenericSchema>(
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

export function countryRule(env: Env, code: string | null, log: Log): CountryRule | undefined {
  const rules = read(countries, env.SMS_COUNTRIES, 'SMS_COUNTRIES', log) ?? {};
  return code !== null && Object.hasOwn(rules, code) ? rules[code] : undefined;
}

const textedTypes = new Set([null, 'mobile', 'fixed_line_or_mobile']);

/** @param type of the number, as the numbering plan says; null where it does not */
export const canGetSms = (type: string | null): boolean => textedTypes.has(type);

/** The sender for a country; undefined without one that accepts replies. */
export function senderFor(env: Env, rule: CountryRule | undefined): string | undefined {
  const from = rule?.from ?? env.SMS_FROM;
  return v.is(e164, from) ? from : undefined;
}

/** A malformed `SMS_LIMITS` allows no invitations. */
export function smsLimits(env: Env, log: Log): SmsLimits {
  if (!env.SMS_LIMITS) return defaultLimits;
  const own = read(limits, env.SMS_LIMITS, 'SMS_LIMITS', log);
  return own ? { ...defaultLimits, ...own } : { ...defaultLimits, day: 0 };
}
