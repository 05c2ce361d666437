import { Hono } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { noteVerified } from '../storage/accounts.ts';
import { GoogleVerifier } from '../vendors/google.ts';
import { jsonBody } from './body.ts';
import { emailSchema, landingType, signUp, visitorUuid } from './signup.ts';

/** Bounded: one set of public keys. */
const google = new GoogleVerifier();

const body = v.object({
  /** Google's credential, a signed token. */
  access_token: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  driver: v.literal('google'),
  user_uuid: visitorUuid,
  landing_type: landingType,
});

const longestName = 200;

/** Sign-up by a provider's word for the e-mail; its answer is that of `/signup`. */
export const social = new Hono<App>().post(
  '/authorize_social_via_access_token',
  jsonBody(body, { access_token: 'google_refused' }),
  async (c) => {
    const { access_token, user_uuid, landing_type } = c.req.valid('json');
    const { GOOGLE_CLIENT_ID } = c.env;
    if (!GOOGLE_CLIENT_ID) throw new Refusal('google_unconfigured');
    const profile = await google.verify(access_token, GOOGLE_CLIENT_ID, c.var.log);
    const email = v.safeParse(emailSchema, profile.email);
    if (!email.success) throw new Refusal('google_email_unverified');
    const name = profile.name.trim().slice(0, longestName);
    const data = await signUp(c, { email: email.output, name, user_uuid, landing_type });
    await noteVerified(c.env.DB, data.entity.external_user_id, Date.now());
    return c.json({ data }, 200, { 'Cache-Control': 'no-store' });
  },
);
