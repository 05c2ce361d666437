import type { Context } from 'hono';
import * as v from 'valibot';
import { addToNoScriptCookie } from './accounts/no-script-cookie.ts';
import { signUpAtProductApi } from './accounts/product-api-proxy.ts';
import { emailSchema, signUpByEmail } from './accounts/signup-api.ts';
import type { App } from './env.ts';
import { type ErrorCode, Refusal } from './errors.ts';
import { isScreenId, nextScreen, type ScreenId } from './experiments/rules/flows.ts';
import { createHandlers } from './http/handlers.ts';
import { checkRateLimit } from './http/rate-limit.ts';
import { formGuard } from './http/request-guard.ts';
import { notice } from './pages.tsx';
import { parsePhone } from './phone-lookup/parse-phone.ts';

type Fields = Record<string, string>;
type Handler = (c: Context<App>, screen: ScreenId, fields: Fields) => Response | Promise<Response>;

/** The address of a screen of ours, with the visitor's known query. */
function addressOf(c: Context<App>, screen: ScreenId): string {
  const query = new URLSearchParams(c.var.visitor.query).toString();
  return query ? `/${screen}?${query}` : `/${screen}`;
}

/** Sends the browser to a screen; on to the flow's first one when none is left. */
function goTo(c: Context<App>, screen: ScreenId | null | undefined): Response {
  const first = c.var.assignment.flow[0] ?? 'one_pager';
  c.header('Cache-Control', 'no-store');
  return c.redirect(addressOf(c, screen ?? first), 303);
}

const goOn: Handler = (c, screen) => goTo(c, nextScreen(c.var.assignment.flow, screen));

const refuse = (c: Context<App>, screen: ScreenId, code: ErrorCode) =>
  notice(c, code, addressOf(c, screen));

const takePhone: Handler = (c, screen, { phone = '', country }) => {
  const read = parsePhone(phone, country || c.var.visitor.country);
  if (!read) return refuse(c, screen, 'phone_incorrect');
  addToNoScriptCookie(c, { map: { phone: read.number, country: read.country } });
  return goOn(c, screen, {});
};

const takeEmail: Handler = async (c, screen, fields) => {
  const email = v.safeParse(emailSchema, fields.email);
  if (!email.success) return refuse(c, screen, 'email_invalid');
  await checkRateLimit(c, 'SIGNUP_RATE_LIMIT');
  const who = {
    registration_source: 'email' as const,
    email: email.output,
    name: email.output,
    user_uuid: c.var.visitor.uuid,
    landing_type: c.var.assignment.landingType,
  };
  const { entity, ...tokens } = await (c.env.PRODUCT_API_URL ? signUpAtProductApi : signUpByEmail)(
    c,
    who,
  );
  addToNoScriptCookie(c, {
    signup: { email: email.output, ...tokens, userId: entity.external_user_id },
  });
  return goOn(c, screen, {});
};

const needScript: Handler = (c, screen) => refuse(c, screen, 'javascript_required');
const startOver: Handler = (c) => goTo(c, null);

/** What the form of each kind of screen does; the kind is how the id begins. */
const handlers: readonly [start: RegExp, handler: Handler][] = [
  [/^one_pager/, takePhone],
  [/^(searching|features)/, goOn],
  [/^signup/, takeEmail],
  [/^(checkout|paycheck|upsell)/, needScript],
];

/** The text fields of a form; files and repeated fields are not ours. */
async function fieldsOf(c: Context<App>): Promise<Fields> {
  const sent = await c.req.parseBody().catch(() => {
    throw new Refusal('malformed_body');
  });
  return Object.fromEntries(
    Object.entries(sent).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

/** Forms that a browser posts without JavaScript: the answer is the next screen, or a notice. */
export const submitForm = createHandlers(formGuard(16 * 1024), async (c) => {
  const segment = c.req.param('screen') ?? '';
  const { aliases } = c.var.assignment.configuration;
  const screen = isScreenId(segment) ? segment : aliases.get(segment);
  if (!screen) return goTo(c, null);
  const handler = handlers.find(([start]) => start.test(screen))?.[1] ?? startOver;
  try {
    return await handler(c, screen, await fieldsOf(c));
  } catch (error) {
    if (error instanceof Refusal) return refuse(c, screen, error.code);
    throw error;
  }
});
