import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { requirePlan } from '../catalog/require-plan.ts';
import { nonceSchema, parseJson } from '../http/json-body.ts';
import { shownRefusal } from '../phone-lookup/lookup-api.ts';
import { parsePhones } from '../phone-lookup/parse-phone.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { reasonOf } from '../platform/log.ts';
import { fieldsIn, jsonIn } from '../platform/read-json.ts';
import { accountOfToken, bearsOurToken } from './access-token.ts';
import { codeHash } from './one-time-codes.ts';
import { emailSchema, type SignedUp, type SignUp, signUpByEmail } from './signup-api.ts';

const timeoutMs = 10_000;

interface Answer {
  status: number;
  body: unknown;
}

interface Call {
  method: 'GET' | 'POST';
  /** Path segments below the base URL, validated and not yet encoded. */
  path: readonly string[];
  json?: unknown;
  token?: string;
}

/** A dot segment survives encoding and would leave the base path. */
function urlOf(base: string, path: readonly string[]): string {
  if (path.some((segment) => /^\.{0,2}$/.test(segment))) throw new Refusal('not_found');
  return [base.replace(/\/+$/, ''), ...path.map(encodeURIComponent)].join('/');
}

/** @throws Refusal `product_api_failed` for anything but JSON in time */
async function callProductApi(
  c: Context<App>,
  { method, path, json, token }: Call,
): Promise<Answer> {
  // The complete list of request headers: no cookie, nothing about the connection.
  const headers = new Headers({ accept: 'application/json' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (json !== undefined) headers.set('content-type', 'application/json');
  const url = urlOf(c.env.PRODUCT_API_URL ?? '', path);
  let status: number | undefined;
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: json === undefined ? undefined : JSON.stringify(json),
      // A redirect could carry the token to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    if (status < 200 || status > 599) throw new Error('not HTTP');
    if (status >= 300 && status < 400) throw new Error('redirected');
    const text = await response.text();
    const body: unknown = text ? JSON.parse(text) : undefined;
    return { status, body };
  } catch (error) {
    const reason = reasonOf(error);
    c.var.log('error', 'product_api_failed', { reason, status });
    throw new Refusal('product_api_failed');
  }
}

async function optionalJson(c: Context<App>): Promise<unknown> {
  return (await c.req.arrayBuffer()).byteLength > 0 ? parseJson(c) : undefined;
}

/** The product's own token. Our tokens must not reach another company. */
async function tokenOf(c: Context<App>): Promise<string> {
  const header = c.req.header('authorization') ?? '';
  const token = /^bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];
  if (!token || (await bearsOurToken(c))) throw new Refusal('unauthorized');
  return token;
}

const emailTakenPattern = /the email has already been taken|useremailtaken/;

/** @throws Refusal `email_taken` when a failed sign-up says so, whatever its format */
function refuseTakenEmail(answer: Answer): Answer {
  if (answer.status < 400 || answer.body === undefined) return answer;
  const text = JSON.stringify(answer.body).toLowerCase().replaceAll('.', '');
  if (emailTakenPattern.test(text)) throw new Refusal('email_taken');
  return answer;
}

const signedUp = v.object({
  data: v.looseObject({
    access_token: v.string(),
    deeplink_token: v.optional(v.string(), ''),
    entity: v.looseObject({
      external_user_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
      uuid: v.optional(v.string()),
    }),
  }),
});

/** Unverified, so whoever typed the e-mail opens nothing by it. */
function emailOf(json: unknown): unknown {
  const { email, access_token: credential } = fieldsIn(json);
  if (email) return email;
  const [, claims = ''] = String(credential).split('.');
  return fieldsIn(jsonIn(Buffer.from(claims, 'base64url').toString())).email;
}

/**
 * A session for what we answer ourselves, in a new account or the unverified one that this browser opened. The product's
 * answer proves nothing about the mailbox. Null if there is another account: an e-mailed link opens it.
 */
async function ownSession(
  c: Context<App>,
  json: unknown,
  { access_token: token, entity }: v.InferOutput<typeof signedUp>['data'],
): Promise<string | null> {
  try {
    const email = v.parse(emailSchema, emailOf(json));
    const { visitor, assignment } = c.var;
    const who = { email, user_uuid: visitor.uuid, landing_type: assignment.landingType };
    const own = await signUpByEmail(c, who);
    const { account } = c.var;
    const user = entity.external_user_id;
    const tokenHash = await codeHash(token);
    await c.env.PURCHASES.getByName(account).linkProductUser({ account, user, tokenHash });
    return own.access_token;
  } catch (error) {
    const level = error instanceof Refusal ? 'info' : 'error';
    c.var.log(level, 'product_user_not_linked', { reason: reasonOf(error) });
    return null;
  }
}

async function signUpAt(c: Context<App>, path: string, json: unknown): Promise<Answer> {
  const answer = refuseTakenEmail(await callProductApi(c, { method: 'POST', path: [path], json }));
  const { success, output } = v.safeParse(signedUp, answer.body);
  if (answer.status >= 300 || !success) return answer;
  const own_access_token = await ownSession(c, json, output.data);
  const body = fieldsIn(answer.body);
  return { ...answer, body: { ...body, data: { ...fieldsIn(body.data), own_access_token } } };
}

const signUpBy = (path: string) => async (c: Context<App>) =>
  signUpAt(c, path, await optionalJson(c));

const mine = (name: string) => async (c: Context<App>) =>
  callProductApi(c, { method: 'GET', path: ['users', 'me', name], token: await tokenOf(c) });

function digitsOf(typedPhone: string): string | null {
  const digits = typedPhone.replace(/[\s().-]/g, '');
  return /^\+?\d{4,15}$/.test(digits) ? digits : null;
}

/** The product API takes the number in its path, so it is normalized first. */
async function lookUpPhone(c: Context<App>): Promise<Answer> {
  const parsed = v.safeParse(
    v.object({ phone: v.string(), country: v.optional(v.string()) }),
    await optionalJson(c),
  );
  if (!parsed.success) throw new Refusal('phone_incorrect');
  const { phone: typedPhone, country } = parsed.output;
  const { visitor, log } = c.var;
  // The product API reads the number itself.
  const readings = parsePhones(c.env, typedPhone, country || visitor.country, log);
  const [known, ...others] = await readings.catch(() => []);
  if (others.length > 0) throw new Refusal('phone_ambiguous');
  const e164 = known?.e164 ?? digitsOf(typedPhone);
  if (!e164) throw new Refusal('phone_incorrect');
  const answer = await callProductApi(c, { method: 'GET', path: ['phone-number-info', e164] });
  if (answer.status !== 200) throw new Refusal('phone_incorrect');
  // The product does not know which numbers we send no SMS.
  const sms_refusal = known && shownRefusal(c, known);
  const body = v.safeParse(v.looseObject({ data: v.looseObject({}) }), answer.body);
  if (!sms_refusal || !body.success) return answer;
  return { ...answer, body: { ...body.output, data: { ...body.output.data, sms_refusal } } };
}

const order = v.looseObject({ payment_method_nonce: v.nullish(nonceSchema) });

/** Our session comes along with the product's, so that the account here gets the right to invite. */
async function ownPurchases(c: Context<App>) {
  const account = await accountOfToken(c, 'x-session');
  return account && c.env.PURCHASES.getByName(account.id);
}

const result = v.object({
  status: v.optional(v.string()),
  subscription_id: v.union([v.string(), v.number()]),
});
const started = v.object({ data: v.union([v.object({ polling_result_id: v.string() }), result]) });
const finished = v.object({ data: v.object({ result_data: result }) });

const isPaid = ({ status = '' }: v.InferOutput<typeof result>) =>
  !['requires_action', 'processing'].includes(status);

async function recordOrder(c: Context<App>, token: string, plan: string, body: unknown) {
  const { success, output } = v.safeParse(started, body);
  const own = success && (await ownPurchases(c));
  if (!own) return;
  const { data } = output;
  const isDone = 'subscription_id' in data;
  const pollingId = String(isDone ? data.subscription_id : data.polling_result_id);
  await own.startProductOrder(await codeHash(token), { pollingId, plan });
  if (isDone) await own.finishProductOrder(pollingId, isPaid(data));
}

const subscribe = (...path: string[]) => {
  return async (c: Context<App>) => {
    const plan = requirePlan(c, c.req.param('plan'));
    const token = await tokenOf(c);
    const json = await optionalJson(c);
    const { issues } = v.safeParse(v.optional(order), json);
    if (issues) throw new Refusal('malformed_body', v.getDotPath(issues[0]) ?? undefined);
    const segments = ['users', 'me', 'subscriptions', ...path, plan.id];
    const answer = await callProductApi(c, { method: 'POST', path: segments, json, token });
    // The buyer may have paid, so a failure here must not look like one of the payment.
    await recordOrder(c, token, plan.id, answer.body).catch((error) =>
      c.var.log('error', 'product_order_lost', { reason: reasonOf(error) }),
    );
    return answer;
  };
};

const pollingId = /^[\w-][\w.:=~-]{0,199}$/;

/** @throws if the right could not be stored: the page then polls again */
async function poll(c: Context<App>): Promise<Answer> {
  const id = c.req.param('id') ?? '';
  if (!pollingId.test(id)) throw new Refusal('poll_unknown');
  const answer = await callProductApi(c, { method: 'GET', path: ['polling', 'get-result', id] });
  if (answer.status === 202) return answer;
  const { success, output } = v.safeParse(finished, answer.body);
  const own = await ownPurchases(c);
  await own?.finishProductOrder(id, success && isPaid(output.data.result_data));
  return answer;
}

/** Lets the product API answer, where one is set. Only its status and JSON are passed on. */
const forwarded =
  (call: (c: Context<App>) => Promise<Answer>): MiddlewareHandler<App> =>
  async (c, next) => {
    if (!c.env.PRODUCT_API_URL) return next();
    const { status, body } = await call(c);
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };

/** The URL is built from the route and validated parameters, never from the requested path. */
export const productApi = {
  signUp: forwarded(signUpBy('signup')),
  signInWithGoogle: forwarded(signUpBy('authorize_social_via_access_token')),
  getPaymentSettings: forwarded(mine('payments-settings')),
  getAppLink: forwarded(mine('deeplink-qr-code')),
  getCountry: forwarded((c) => callProductApi(c, { method: 'GET', path: ['cf-country'] })),
  lookUpPhone: forwarded(lookUpPhone),
  subscribeForPolling: forwarded(subscribe('polling')),
  subscribeAndWait: forwarded(subscribe()),
  pollResult: forwarded(poll),
};

export async function signUpAtProductApi(c: Context<App>, who: SignUp): Promise<SignedUp> {
  const answer = await signUpAt(c, 'signup', who);
  const parsed = v.safeParse(signedUp, answer.body);
  if (answer.status >= 400 || !parsed.success) throw new Refusal('signup_failed');
  const { entity, ...data } = parsed.output.data;
  const uuid = entity.uuid ?? who.user_uuid;
  return { ...(data as Omit<SignedUp, 'entity'>), entity: { ...entity, uuid } };
}
