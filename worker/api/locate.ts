import { Hono } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { readPhone } from '../phone.ts';
import { jsonBody } from './body.ts';

const body = v.object({ phone: v.string(), country: v.optional(v.string()) });

/** What a number's registration says; null where nothing is known. */
export interface NumberInfo {
  number: string;
  country: string | null;
  country_name: string | null;
  calling_code: string;
  type: string | null;
  carrier: string | null;
  timezone: string | null;
  city: string | null;
}

function lookUp(text: string, country: string, language: string): NumberInfo | null {
  const phone = readPhone(text, country);
  if (!phone) return null;
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return {
    number: phone.number,
    country: phone.country,
    country_name: phone.country && (names.of(phone.country) ?? null),
    calling_code: phone.callingCode,
    type: phone.type,
    carrier: null,
    timezone: null,
    city: null,
  };
}

/** Where the visitor is, and what a phone number tells about itself. */
export const locate = new Hono<App>()
  .get('/cf-country', (c) => c.json({ country_code: c.var.visitor.country }))
  .post('/phone-number-info', jsonBody(body, { phone: 'phone_incorrect' }), (c) => {
    const { phone, country } = c.req.valid('json');
    const { visitor, log } = c.var;
    let data: NumberInfo | null;
    try {
      data = lookUp(phone, country || visitor.country, visitor.language);
    } catch (error) {
      log('error', 'phone_lookup_failed', { reason: error instanceof Error ? error.name : '' });
      throw new Refusal('phone_lookup_failed');
    }
    if (!data) throw new Refusal('phone_incorrect');
    return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
  });
