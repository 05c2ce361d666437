import type { Context } from 'hono';
import * as v from 'valibot';
import { keepArms } from '../analytics/visitor-arms.ts';
import { keepCurrency } from '../catalog/kept-currency.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { unanswered } from '../platform/unanswered.ts';
import type { Session } from './access-token.ts';
import { enterByGoogleMailbox, enterByGoogleUser, type KnownAccount } from './account-table.ts';
import type { GoogleVerifier } from './google-id-token.ts';
import { entranceByGoogle, type GooglePerson } from './rules/mailbox.ts';
import {
  emailSchema,
  landingType,
  openAccount,
  ownVisitorId,
  proveMailbox,
  visitorUuid,
} from './signup-api.ts';
import { useCredential } from './signup-limits.ts';

/** Caches Google's keys. Loaded at the first sign-in, because few visitors use it. */
let verifier: GoogleVerifier | undefined;

async function googleVerifier(): Promise<GoogleVerifier> {
  const { GoogleVerifier } = await import('./google-id-token.ts');
  verifier ??= new GoogleVerifier();
  return verifier;
}

const body = v.object({
  access_token: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  driver: v.literal('google'),
  user_uuid: visitorUuid,
  landing_type: landingType,
});

const maxNameLength = 200;

async function signIn(
  c: Context<App>,
  known: KnownAccount,
  person: GooglePerson,
): Promise<Session | null> {
  const { id, googleSub: linkedSub } = known;
  const entrance = entranceByGoogle(linkedSub, person);
  if (entrance === null) return null;
  const db = accountDatabase(c.env, id);
  const { sub: googleSub, name, email } = person;
  const who = { googleSub, name: name || email, userUuid: ownVisitorId(c) };
  const epoch = await (entrance === 'mailbox'
    ? enterByGoogleMailbox(db, id, who, Date.now())
    : enterByGoogleUser(db, id, googleSub));
  if (epoch === null) return null;
  keepArms(c, known.arms);
  if (entrance === 'mailbox') await proveMailbox(c, known);
  return { account: id, epoch };
}

export const signInWithGoogle = createHandlers(
  jsonBody(body, { access_token: 'google_refused' }),
  async (c) => {
    const { access_token, landing_type } = c.req.valid('json');
    const { GOOGLE_CLIENT_ID } = c.env;
    if (!GOOGLE_CLIENT_ID) throw new Refusal('google_not_configured');
    const google = await googleVerifier();
    const profile = await google.verify(access_token, GOOGLE_CLIENT_ID, c.var.log);
    if (!(await useCredential(c.env, access_token))) throw new Refusal('google_refused');
    const email = v.safeParse(emailSchema, profile.email);
    if (!email.success) throw new Refusal('google_email_unverified');
    const name = profile.name.trim().slice(0, maxNameLength);
    const person = { ...profile, email: email.output, name };
    const { sub: googleSub, authoritative: isVerified } = profile;
    const account = { email: email.output, name, landing_type, googleSub, isVerified };
    const data = await openAccount(c, account, (_, known) => signIn(c, known, person));
    const purchases = c.env.PURCHASES.getByName(c.var.account);
    keepCurrency(
      c,
      await purchases.runningCurrency().catch(unanswered(c.var.log, 'PURCHASES', null)),
    );
    return c.json({ data });
  },
);
