import * as v from 'valibot';
import type { Env } from '../../env.ts';
import type { Log } from '../../log.ts';
import { defaultLimits, type SmsLimits } from '../rules/sms-limits.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
/** A number, because a name takes no replies, and STOP must reach us. */
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

/** What holds for texts to a country: its price in cents, and its sender where that is its own. */
export type CountryRule = v.InferOutput<typeof country>;

function read<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string | undefined,
  key: string,
  log: Log,
): v.InferOutput<Schema> | undefined {
  if (!text) return undefined;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch (error) {
    log('error', 'config_refused', { key, reason: error instanceof Error ? error.name : 'thrown' });
    return undefined;
  }
}

/** The rules of a country; undefined while texts to it are switched off. */
export function ruleOf(env: Env, code: string | null, log: Log): CountryRule | undefined {
  const rules = read(countries, env.TEXT_COUNTRIES, 'TEXT_COUNTRIES', log) ?? {};
  return code !== null && Object.hasOwn(rules, code) ? rules[code] : undefined;
}

/** The number that texts to a country come from; undefined where none is set that can be answered. */
export function senderOf(env: Env, rule: CountryRule | undefined): string | undefined {
  const from = rule?.from ?? env.TEXT_FROM;
  return v.is(e164, from) ? from : undefined;
}

/** How many invitations a day go out. A variable that cannot be read allows none. */
export function limitsIn(env: Env, log: Log): SmsLimits {
  if (!env.TEXT_LIMITS) return defaultLimits;
  const own = read(limits, env.TEXT_LIMITS, 'TEXT_LIMITS', log);
  return own ? { ...defaultLimits, ...own } : { ...defaultLimits, day: 0 };
}
