import type { Context } from 'hono';
import * as v from 'valibot';
import { translationsFor } from '../content/translations.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { reasonOf } from '../platform/log.ts';
import { likelyTimeZone, numberFacts } from './numbering-data.ts';
import { type Phone, parsePhones } from './parse-phone.ts';
import { type Line, lineType, smsRefusal } from './sms-reach.ts';

const body = v.object({ phone: v.string(), country: v.optional(v.string()) });

export interface NumberInfo {
  number: string;
  country: string | null;
  country_name: string | null;
  calling_code: string;
  type: string | null;
  carrier: string | null;
  timezone: string | null;
  city: string | null;
  line: Line;
  /** Why we send it no SMS, in the visitor's language; null if we do. */
  sms_refusal: { code: string; message: string } | null;
  /** What the text can mean besides: the visitor must be asked; null for nothing. */
  other_readings: { number: string; country_name: string | null }[] | null;
}

const countryName = (code: string, language: string) =>
  new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? null;

/** Countries whose mobile numbers have area codes; see PhoneNumberUtil.isNumberGeographical of libphonenumber. */
const geographicMobiles = new Set(['52', '54', '55', '62', '86']);

const isGeographic = ({ type, callingCode }: Phone) =>
  type === 'fixed_line' ||
  type === 'fixed_line_or_mobile' ||
  (type === 'mobile' && geographicMobiles.has(callingCode));

/** Argentina writes a 9 between the country and the area of mobile numbers. */
const areaDigits = ({ e164 }: Phone) => e164.replace(/^\+549/, '+54');

export function shownRefusal(
  { env, var: { visitor, log } }: Context<App>,
  phone: Phone,
): NumberInfo['sms_refusal'] {
  const code = smsRefusal(env, phone, log);
  return code && { code, message: translationsFor(visitor.language).errors(code) };
}

async function lookUp(
  c: Context<App>,
  typedPhone: string,
  country: string,
): Promise<NumberInfo | null> {
  const {
    env,
    var: { visitor, log },
  } = c;
  const [phone, ...others] = await parsePhones(env, typedPhone, country, log);
  if (!phone) return null;
  const nameOf = (code: string | null) => code && countryName(code, visitor.language);
  const { area: place, carrier, zones } = await numberFacts(env, areaDigits(phone), log);
  const wholeCountry = phone.country && countryName(phone.country, 'en');
  return {
    number: phone.number,
    country: phone.country,
    country_name: nameOf(phone.country),
    calling_code: phone.callingCode,
    type: phone.type,
    carrier,
    timezone: zones && likelyTimeZone(zones, phone.country),
    city: place === wholeCountry || !isGeographic(phone) ? null : place,
    line: lineType(phone.type),
    sms_refusal: shownRefusal(c, phone),
    other_readings:
      others.length > 0
        ? others.map(({ number, country: code }) => ({ number, country_name: nameOf(code) }))
        : null,
  };
}

export const getCountry = createHandlers((c) => c.json({ country_code: c.var.visitor.country }));

export const lookUpPhone = createHandlers(
  jsonBody(body, { phone: 'phone_incorrect' }),
  async (c) => {
    const { phone: typedPhone, country } = c.req.valid('json');
    const { visitor, log } = c.var;
    let data: NumberInfo | null;
    try {
      data = await lookUp(c, typedPhone, country || visitor.country);
    } catch (error) {
      log('error', 'phone_lookup_failed', { reason: reasonOf(error) });
      throw new Refusal('phone_lookup_failed');
    }
    if (!data) throw new Refusal('phone_incorrect');
    return c.json({ data });
  },
);
