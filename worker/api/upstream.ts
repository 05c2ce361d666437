import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { readPhone } from '../phone.ts';
import { nonceSchema, readJson } from './body.ts';
import type { SignedUp, SignUp } from './signup.ts';

/** Ms that the product API may take. */
const timeLimit = 10_000;

interface Answer {
  status: number;
  /** Parsed; undefined when the answer had no body. */
  body: unknown;
}

/** Only these two headers and the body go out: no cookie, nothing of the connection. */
function headersFor(c: Context<App>): Headers {
  const headers = new Headers({ accept: 'application/json' });
  const authority = c.req.header('authorization');
  if (authority && /^bearer /i.test(authority)) headers.set('authorization', authority);
  return headers;
}

/** One call of the product API; anything but JSON in time is refused `upstream_failed`. */
async function ask(c: Context<App>, method: string, path: string, sent?: unknown): Promise<Answer> {
  const headers = headersFor(c);
  if (sent !== undefined) headers.set('content-type', 'application/json');
  let status: number | undefined;
  try {
    const response = await fetch(`${c.env.PRODUCT_API_URL?.replace(/\/+$/, '')}${path}`, {
      method,
      headers,
      body: sent === undefined ? undefined : JSON.stringify(sent),
      // A redirect could carry the token to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
    status = response.status;
    if (status >= 300 && status < 400) throw new Error('redirected');
    const text = await response.text();
    const body: unknown = text ? JSON.parse(text) : undefined;
    return { status, body };
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    c.var.log('error', 'upstream_failed', { reason, status });
    throw new Refusal('upstream_failed');
  }
}

const taken = /the email has already been taken|useremailtaken/;

/** Refuses `email_taken` when a sign-up failed for that, in whatever words it says so. */
function checkTaken({ status, body }: Answer): void {
  if (status < 400 || body === undefined) return;
  const said = JSON.stringify(body).toLowerCase().replaceAll('.', '');
  if (taken.test(said)) throw new Refusal('email_taken');
}

/** The product API takes the number in its path, so it is brought to one spelling first. */
async function lookUpPhone(c: Context<App>, sent: unknown): Promise<Answer> {
  const asked = v.safeParse(v.object({ phone: v.string(), country: v.optional(v.string()) }), sent);
  if (!asked.success) throw new Refusal('phone_incorrect');
  const { phone, country } = asked.output;
  const number = readPhone(phone, country || c.var.visitor.country)?.e164 ?? phone;
  const answer = await ask(c, 'GET', `/phone-number-info/${encodeURIComponent(number)}`);
  if (answer.status !== 200) throw new Refusal('phone_incorrect');
  return answer;
}

const order = v.looseObject({ payment_method_nonce: v.nullish(nonceSchema) });

async function forward(c: Context<App>, path: string): Promise<Answer> {
  const { method } = c.req;
  const sent = method === 'GET' || method === 'HEAD' ? undefined : await readJson(c);
  if (path.startsWith('/users/me/subscriptions/') && sent !== undefined && !v.is(order, sent)) {
    throw new Refusal('bad_body');
  }
  if (method === 'POST' && path === '/phone-number-info') return lookUpPhone(c, sent);
  const answer = await ask(c, method, path + new URL(c.req.url).search, sent);
  if (path === '/signup' || path === '/authorize_social_via_access_token') checkTaken(answer);
  return answer;
}

/** With `PRODUCT_API_URL` every call of the API but `/events` is answered by the product API. */
export const upstream = createMiddleware<App>(async (c, next) => {
  const path = c.req.path.replace(/^\/api\/v1/, '');
  if (!c.env.PRODUCT_API_URL || path === '/events') return next();
  const { status, body } = await forward(c, path);
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
});

const signedUp = v.object({
  data: v.object({
    access_token: v.string(),
    deeplink_token: v.string(),
    entity: v.object({
      external_user_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
      uuid: v.optional(v.string()),
    }),
  }),
});

/** Signs up at the product API, for a form that came without JavaScript. */
export async function signUpUpstream(c: Context<App>, who: SignUp): Promise<SignedUp> {
  const answer = await ask(c, 'POST', '/signup', who);
  checkTaken(answer);
  const read = v.safeParse(signedUp, answer.body);
  if (answer.status >= 400 || !read.success) throw new Refusal('signup_failed');
  const { entity, ...tokens } = read.output.data;
  return { ...tokens, entity: { ...entity, uuid: entity.uuid ?? who.user_uuid } };
}
