import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { planById } from '../catalog/plans.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { nonceSchema, parseJson } from '../http/json-body.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import { accountOfToken } from './access-token.ts';
import type { SignedUp, SignUp } from './signup-api.ts';

/** Ms that the product API may take. */
const timeLimit = 10_000;

interface Answer {
  status: number;
  /** Parsed; undefined when the answer had no body. */
  body: unknown;
}

interface Call {
  method: 'GET' | 'POST';
  /** Segments of the path below the API's base address; each was validated, none is encoded yet. */
  path: readonly string[];
  /** Sent as JSON; nothing is sent where it is undefined. */
  sent?: unknown;
  /** The product's access token. */
  token?: string;
}

/** A dot segment survives encoding and would lead out of the base path. */
function addressOf(base: string, path: readonly string[]): string {
  if (path.some((segment) => /^\.{0,2}$/.test(segment))) throw new Refusal('not_found');
  return [base.replace(/\/+$/, ''), ...path.map(encodeURIComponent)].join('/');
}

/** One call of the product API; anything but JSON in time is refused `product_api_failed`. */
async function ask(c: Context<App>, { method, path, sent, token }: Call): Promise<Answer> {
  // The closed list of request headers: no cookie and nothing of the connection goes out.
  const headers = new Headers({ accept: 'application/json' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (sent !== undefined) headers.set('content-type', 'application/json');
  const address = addressOf(c.env.PRODUCT_API_URL ?? '', path);
  let status: number | undefined;
  try {
    const response = await fetch(address, {
      method,
      headers,
      body: sent === undefined ? undefined : JSON.stringify(sent),
      // A redirect could carry the token to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
    status = response.status;
    if (status < 200 || status > 599) throw new Error('not HTTP');
    if (status >= 300 && status < 400) throw new Error('redirected');
    const text = await response.text();
    const body: unknown = text ? JSON.parse(text) : undefined;
    return { status, body };
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    c.var.log('error', 'product_api_failed', { reason, status });
    throw new Refusal('product_api_failed');
  }
}

/** The body of a call, which may have none. */
async function sentWith(c: Context<App>): Promise<unknown> {
  return (await c.req.text()) ? parseJson(c) : undefined;
}

/** The product's token of a call. A token of ours must not reach another company. */
async function tokenOf(c: Context<App>): Promise<string> {
  const header = c.req.header('authorization') ?? '';
  const token = /^bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];
  if (!token || (await accountOfToken(c)) !== null) throw new Refusal('unauthorized');
  return token;
}

const taken = /the email has already been taken|useremailtaken/;

/** Refuses `email_taken` when a sign-up failed for that, in whatever words it says so. */
function checkTaken(answer: Answer): Answer {
  if (answer.status < 400 || answer.body === undefined) return answer;
  const said = JSON.stringify(answer.body).toLowerCase().replaceAll('.', '');
  if (taken.test(said)) throw new Refusal('email_taken');
  return answer;
}

const signUpBy = (name: string) => async (c: Context<App>) =>
  checkTaken(await ask(c, { method: 'POST', path: [name], sent: await sentWith(c) }));

const mine = (name: string) => async (c: Context<App>) =>
  ask(c, { method: 'GET', path: ['users', 'me', name], token: await tokenOf(c) });

/** The digits of a number that our own list does not know; null for what is none. */
function digitsOf(typed: string): string | null {
  const digits = typed.replace(/[\s().-]/g, '');
  // 15 is the longest that E.164 allows.
  return /^\+?\d{4,15}$/.test(digits) ? digits : null;
}

/** The product API takes the number in its path, so it is brought to one spelling first. */
async function lookUpPhone(c: Context<App>): Promise<Answer> {
  const asked = v.safeParse(
    v.object({ phone: v.string(), country: v.optional(v.string()) }),
    await sentWith(c),
  );
  if (!asked.success) throw new Refusal('phone_incorrect');
  const { phone, country } = asked.output;
  const number = parsePhone(phone, country || c.var.visitor.country)?.e164 ?? digitsOf(phone);
  if (!number) throw new Refusal('phone_incorrect');
  const answer = await ask(c, { method: 'GET', path: ['phone-number-info', number] });
  if (answer.status !== 200) throw new Refusal('phone_incorrect');
  return answer;
}

const order = v.looseObject({ payment_method_nonce: v.nullish(nonceSchema) });

const subscribe = (...path: string[]) => {
  return async (c: Context<App>) => {
    const plan = planById(c.req.param('plan') ?? '');
    if (!plan) throw new Refusal('unknown_plan');
    const token = await tokenOf(c);
    const sent = await sentWith(c);
    if (sent !== undefined && !v.is(order, sent)) throw new Refusal('malformed_body');
    const below = ['users', 'me', 'subscriptions', ...path, plan.id];
    return ask(c, { method: 'POST', path: below, sent, token });
  };
};

const pollingId = /^[\w-][\w.:=~-]{0,199}$/;

async function poll(c: Context<App>): Promise<Answer> {
  const id = c.req.param('id') ?? '';
  if (!pollingId.test(id)) throw new Refusal('unknown_poll');
  return ask(c, { method: 'GET', path: ['polling', 'get-result', id] });
}

/** Has the product API answer, where there is one. Of its answer only status and JSON pass. */
const forwarded =
  (call: (c: Context<App>) => Promise<Answer>): MiddlewareHandler<App> =>
  async (c, next) => {
    if (!c.env.PRODUCT_API_URL) return next();
    const { status, body } = await call(c);
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };

/**
 * The calls that an outside product API answers when `PRODUCT_API_URL` is set, and no others. The
 * upstream URL is built from the route and validated parameters, never from the requested path.
 */
export const productApi = {
  signUp: forwarded(signUpBy('signup')),
  signInWithGoogle: forwarded(signUpBy('authorize_social_via_access_token')),
  getPaymentSettings: forwarded(mine('payments-settings')),
  getAppLink: forwarded(mine('deeplink-qr-code')),
  getCountry: forwarded((c) => ask(c, { method: 'GET', path: ['cf-country'] })),
  lookUpPhone: forwarded(lookUpPhone),
  subscribeForPolling: forwarded(subscribe('polling')),
  subscribeAndWait: forwarded(subscribe()),
  pollResult: forwarded(poll),
};

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
export async function signUpAtProductApi(c: Context<App>, who: SignUp): Promise<SignedUp> {
  const answer = checkTaken(await ask(c, { method: 'POST', path: ['signup'], sent: who }));
  const read = v.safeParse(signedUp, answer.body);
  if (answer.status >= 400 || !read.success) throw new Refusal('signup_failed');
  const { entity, ...tokens } = read.output.data;
  return { ...tokens, entity: { ...entity, uuid: entity.uuid ?? who.user_uuid } };
}
