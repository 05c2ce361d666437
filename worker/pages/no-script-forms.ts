import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import * as v from 'valibot';
import { signUpAtProductApi } from '../accounts/product-api-proxy.ts';
import { emailSchema, signUpByEmail } from '../accounts/signup-api.ts';
import { matters, relations } from '../analytics/rules/event-schema.ts';
import { isScreenId, nextScreen, type ScreenId } from '../experiments/rules/flows.ts';
import { createHandlers } from '../http/handlers.ts';
import { checkRateLimit, formGuard } from '../http/request-guard.ts';
import { hostPrefix } from '../http/set-cookie.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import { smsRefusal } from '../phone-lookup/sms-reach.ts';
import type { App } from '../platform/env.ts';
import { type ErrorCode, Refusal } from '../platform/errors.ts';
import { parsedAs } from '../platform/read-json.ts';
import { showNotice } from './page-handlers.ts';

const lifetimeSeconds = 10 * 60;

const text = v.pipe(v.string(), v.maxLength(1024));
/** Parts of the browser's state, with its names. */
const schema = v.object({
  map: v.optional(
    v.object({ phone: text, country: v.nullable(text), byLink: v.optional(v.boolean()) }),
  ),
  answers: v.optional(v.record(v.picklist([...relations, ...matters]), v.literal(true))),
  signup: v.optional(
    v.object({
      email: text,
      token: text,
      own: v.optional(text),
      deeplinkToken: text,
      userId: text,
    }),
  ),
});

export type NoScriptState = v.InferOutput<typeof schema>;

/** Cookie `carry` (`__Host-carry` on https): JSON, percent-encoded, 10 minutes, readable by scripts. */
export function addToNoScriptCookie(c: Context<App>, more: NoScriptState): void {
  const prefix = hostPrefix(c);
  const state = { ...parsedAs(schema, getCookie(c, 'carry', prefix)), ...more };
  setCookie(c, 'carry', JSON.stringify(state), {
    prefix,
    path: '/',
    maxAge: lifetimeSeconds,
    sameSite: 'Lax',
  });
}

type Fields = Record<string, string>;
type Handler = (c: Context<App>, screen: ScreenId, fields: Fields) => Response | Promise<Response>;

function urlOf(c: Context<App>, screen: ScreenId): string {
  const query = new URLSearchParams(c.var.visitor.query).toString();
  return query ? `/${screen}?${query}` : `/${screen}`;
}

/** The URL of a screen; for null of the first one. */
const pathTo = (c: Context<App>, screen: ScreenId | null) =>
  urlOf(c, screen ?? c.var.assignment.flow[0] ?? 'one_pager');

function redirectTo(c: Context<App>, screen: ScreenId | null): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(pathTo(c, screen), 303);
}

const nextStep: Handler = (c, screen) => redirectTo(c, nextScreen(c.var.assignment.flow, screen));

const refuse = (c: Context<App>, screen: ScreenId, code: ErrorCode) =>
  showNotice(c, code, urlOf(c, screen));

const submitPhone: Handler = async (c, screen, { phone = '', country }) => {
  const { visitor, log } = c.var;
  const parsed = await parsePhone(c.env, phone, country || visitor.country, log);
  if (!parsed) return refuse(c, screen, 'phone_incorrect');
  const refusal = smsRefusal(c.env, parsed, log);
  // Whoever goes on from the notice sends a link; another number replaces this one.
  const onward = pathTo(c, nextScreen(c.var.assignment.flow, screen));
  if (refusal) c.res = await showNotice(c, refusal, urlOf(c, screen), onward);
  const { number, country: found } = parsed;
  addToNoScriptCookie(c, { map: { phone: number, country: found, byLink: refusal !== null } });
  return refusal ? c.res : nextStep(c, screen, {});
};

const submitAnswers: Handler = (c, screen, { who, matters: matter }) => {
  const given = [relations.find((one) => one === who), matters.find((one) => one === matter)];
  const answers = given.flatMap((answer) => (answer ? [[answer, true] as const] : []));
  if (answers.length > 0) addToNoScriptCookie(c, { answers: Object.fromEntries(answers) });
  return nextStep(c, screen, {});
};

const submitEmail: Handler = async (c, screen, fields) => {
  const email = v.safeParse(emailSchema, fields.email);
  if (!email.success) return refuse(c, screen, 'email_invalid');
  await checkRateLimit(c, 'SIGNUP_RATE_LIMIT');
  const signUp = {
    registration_source: 'email' as const,
    email: email.output,
    name: email.output,
    user_uuid: c.var.visitor.uuid,
    landing_type: c.var.assignment.landingType,
  };
  const submit = c.env.PRODUCT_API_URL ? signUpAtProductApi : signUpByEmail;
  const { entity, deeplink_token: deeplinkToken, ...tokens } = await submit(c, signUp);
  const { access_token: token, own_access_token } = tokens;
  const own = own_access_token === undefined ? {} : { own: own_access_token ?? '-' };
  const userId = entity.external_user_id;
  addToNoScriptCookie(c, {
    signup: { email: email.output, token, ...own, deeplinkToken, userId },
  });
  return nextStep(c, screen, {});
};

const requireScript: Handler = (c, screen) => refuse(c, screen, 'javascript_required');
const startOver: Handler = (c) => redirectTo(c, null);

/** Handlers by the beginning of a screen's id. */
const handlers = [
  ['one_pager', submitPhone],
  ['questions', submitAnswers],
  ['searching', nextStep],
  ['features', nextStep],
  ['signup', submitEmail],
  ['checkout', requireScript],
  ['paycheck', requireScript],
  ['upsell', requireScript],
  ['success', startOver],
  ['payment_declined', startOver],
  ['auto-signup', startOver],
] as const satisfies readonly (readonly [string, Handler])[];

/** The type check refuses a screen that no handler names. */
const handlerOf = (screen: `${(typeof handlers)[number][0]}${string}`): Handler =>
  handlers.find(([prefix]) => screen.startsWith(prefix))?.[1] ?? startOver;

async function fieldsOf(c: Context<App>): Promise<Fields> {
  const body = await c.req.parseBody().catch(() => {
    throw new Refusal('malformed_body');
  });
  return Object.fromEntries(
    Object.entries(body).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

export const submitForm = createHandlers(formGuard(16 * 1024), async (c) => {
  const segment = c.req.param('screen') ?? '';
  const { aliases } = c.var.assignment.configuration;
  const screen = isScreenId(segment) ? segment : aliases.get(segment);
  if (!screen) return redirectTo(c, null);
  try {
    return await handlerOf(screen)(c, screen, await fieldsOf(c));
  } catch (error) {
    if (error instanceof Refusal) return refuse(c, screen, error.code);
    throw error;
  }
});
