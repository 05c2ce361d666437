import * as v from 'valibot';
import { type CountryRule, readVariable } from '../../phone-lookup/sms-reach.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import { defaultLimits, type SmsLimits } from '../rules/sms-limits.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const e164 = v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/));
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

/** The sender for a country; undefined without one that accepts replies. */
export function senderFor(env: Env, rule: CountryRule | undefined): string | undefined {
  const from = rule?.from ?? env.SMS_FROM;
  return v.is(e164, from) ? from : undefined;
}

/** A malformed `SMS_LIMITS` allows no invitations. */
export function smsLimits(env: Env, log: Log): SmsLimits {
  if (!env.SMS_LIMITS) return defaultLimits;
  const own = readVariable(limits, env.SMS_LIMITS, 'SMS_LIMITS', log);
  return own ? { ...defaultLimits, ...own } : { ...defaultLimits, day: 0 };
}
