import type { Context } from 'hono';
import { Hono } from 'hono';
import * as v from 'valibot';
import { isEmail } from '../../islands/parts/is-email.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { namesThing } from '../funnel/names-thing.ts';
import { accountByEmail, insertAccount } from '../storage/accounts.ts';
import { createDeeplink } from '../storage/deeplinks.ts';
import { accessToken } from '../token.ts';
import { jsonBody } from './body.ts';

const uuidV4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

export const emailSchema = v.pipe(v.string(), v.trim(), v.check(isEmail));
export const visitorUuid = v.pipe(v.string(), v.toLowerCase(), v.regex(uuidV4));
export const landingType = v.pipe(v.string(), v.regex(/^\w{1,100}$/), v.check(namesThing));

const body = v.object({
  registration_source: v.optional(v.literal('email')),
  email: emailSchema,
  user_uuid: visitorUuid,
  landing_type: landingType,
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
});

export type SignUp = v.InferOutput<typeof body>;

/** What a sign-up opens; `data` of the answer. */
export interface SignedUp {
  access_token: string;
  deeplink_token: string;
  entity: { external_user_id: string; uuid: string };
}

/** The account's id: a new one, or the one that this visitor made before and paid nothing on. */
async function accountFor(c: Context<App>, who: SignUp): Promise<string> {
  const { country, language } = c.var.visitor;
  const { experiment, arm } = c.var.assignment;
  const id = crypto.randomUUID();
  const account = {
    id,
    email: who.email,
    name: who.name || who.email,
    userUuid: who.user_uuid,
    landingType: who.landing_type,
    country,
    language,
    experiment,
    arm,
  };
  if (await insertAccount(c.env.DB, account, Date.now())) return id;
  const known = await accountByEmail(c.env.DB, who.email);
  const returning = known?.userUuid === who.user_uuid ? known.id : null;
  if (!returning || (await c.env.PURCHASES.getByName(returning).paid())) {
    throw new Refusal('email_taken');
  }
  return returning;
}

/**
 * Makes the account, or lets a visitor back into the one they made and have not paid on.
 *
 * @throws Refusal `email_taken`; `signup_failed` when storage is down (the visitor may try again)
 */
export async function signUp(c: Context<App>, who: SignUp): Promise<SignedUp> {
  try {
    const id = await accountFor(c, who);
    return {
      access_token: await accessToken(c.env, id),
      deeplink_token: await createDeeplink(c.env.DB, id, Date.now()),
      entity: { external_user_id: id, uuid: who.user_uuid },
    };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Storage errors quote the statement, never its values.
    const reason = error instanceof Error ? error.message : 'unknown';
    c.var.log('error', 'signup_failed', { reason });
    throw new Refusal('signup_failed');
  }
}

export const signup = new Hono<App>().post(
  '/signup',
  jsonBody(body, { email: 'email_invalid' }),
  async (c) => {
    const data = await signUp(c, c.req.valid('json'));
    return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
  },
);
