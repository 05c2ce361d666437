import type { Context } from 'hono';
import * as v from 'valibot';
import { isEmail } from '../../islands/account/is-email.ts';
import { typedEmail } from '../../locales/format/typed-code.ts';
import { reportCounts, segmentOf, workerVersion } from '../analytics/report-counts.ts';
import { armCounts } from '../analytics/rules/arm-counts.ts';
import { seenArms, seenArmsText } from '../analytics/visitor-arms.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { isIdentifier } from '../http/rules/personal-data-detector.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import { type App, isSynthetic } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { messageOf, reasonOf } from '../platform/log.ts';
import { syntheticArm } from '../platform/log-counts.ts';
import { type AccountId, provenId, unknownId, uuidV4, type VisitorId } from '../platform/types.ts';
import { accessToken, type Session } from './access-token.ts';
import { createAccount, findAccountByEmail } from './account-by-email.ts';
import { type KnownAccount, type NewAccount, startOver } from './account-table.ts';
import { createAppCode } from './one-time-codes.ts';
import { countRevealed, reserveSignUp } from './signup-limits.ts';

export const emailSchema = v.pipe(v.string(), v.transform(typedEmail), v.check(isEmail));
export const visitorUuid = v.pipe(v.string(), v.toLowerCase(), v.regex(uuidV4));
export const landingType = v.pipe(v.string(), v.regex(/^\w{1,100}$/), v.check(isIdentifier));

const body = v.object({
  registration_source: v.optional(v.literal('email')),
  email: emailSchema,
  // Sent for an outside product API; we take the visitor id from the cookie.
  user_uuid: visitorUuid,
  landing_type: landingType,
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
});

export type SignUp = v.InferOutput<typeof body>;

export interface SignedUp {
  access_token: string;
  deeplink_token: string;
  /** Only if an outside product issued the other tokens; null without a session here. */
  own_access_token?: string | null;
  entity: { external_user_id: string; uuid: string };
}

type Person = Pick<SignUp, 'email' | 'name' | 'landing_type'> &
  Pick<NewAccount, 'googleSub' | 'isVerified'>;

type Returning = (c: Context<App>, known: KnownAccount) => Promise<Session | null>;

/** Instead of an id that the browser cannot prove, the account gets one that nobody has. */
export const ownVisitorId = ({ var: { visitor } }: Context<App>): VisitorId =>
  provenId(visitor) ?? unknownId();

/**
 * Tells the account's purchases that its mailbox is proven. The link is used up by now, so a failure is only logged; the
 * next purchase tells it too. @param before the account before the proof
 */
export async function proveMailbox(
  c: Context<App>,
  before: Pick<KnownAccount, 'id' | 'userUuid' | 'verifiedAt'>,
): Promise<void> {
  const isElsewhere = before.verifiedAt === null && before.userUuid !== ownVisitorId(c);
  try {
    await c.env.PURCHASES.getByName(before.id).proveMailbox(isElsewhere);
  } catch (error) {
    c.var.log('warn', 'binding_unavailable', { binding: 'PURCHASES', reason: reasonOf(error) });
  }
}

/** Only into an account that this browser opened, before its mailbox was proven and anything was paid. */
const sameBrowser: Returning = async (c, { id, userUuid, verifiedAt }) => {
  const isOwn = verifiedAt === null && userUuid === ownVisitorId(c);
  if (!isOwn || (await c.env.PURCHASES.getByName(id).everPaid())) return null;
  const epoch = await startOver(accountDatabase(c.env, id), id, userUuid);
  return epoch === null ? null : { account: id, epoch };
};

function countSignUp(c: Context<App>, id: AccountId): void {
  if (isSynthetic(c.env)) return;
  const count = {
    id,
    at: Date.now(),
    step: 'sign_up',
    slice: segmentOf(c),
    version: workerVersion(c.env),
  };
  const counts = [count, ...armCounts(count, seenArms(c))];
  const counted = reportCounts(c.env, counts).catch(({ name: reason }: Error) =>
    c.var.log('error', 'counts_enqueue_failed', { count: 1, reason, final: true }),
  );
  c.executionCtx.waitUntil(counted);
}

async function sessionFor(
  c: Context<App>,
  { email, name, landing_type, ...proof }: Person,
  returning: Returning,
): Promise<Session> {
  const userUuid = ownVisitorId(c);
  const releaseUse = await reserveSignUp(c);
  if (!releaseUse) {
    // Strangers on this network do not keep the account's own browser or Google user out.
    const known = await findAccountByEmail(c.env, email);
    const session = known && (await returning(c, known));
    if (session) return session;
    throw new Refusal(known?.userUuid === userUuid ? 'email_taken' : 'too_many_signups');
  }
  const { country, language } = c.var.visitor;
  const { experiment } = c.var.assignment;
  const arm = isSynthetic(c.env) ? syntheticArm : c.var.assignment.arm;
  const arms = seenArmsText(c);
  const facts = { landingType: landing_type, country, language, experiment, arm, arms };
  const account = { email, name: name || email, userUuid, ...proof, ...facts };
  let emailTaken = false;
  try {
    const id = await createAccount(c.env, account, Date.now());
    if (id) {
      countSignUp(c, id);
      return { account: id, epoch: 0 };
    }
    const known = await findAccountByEmail(c.env, email);
    const session = known && (await returning(c, known));
    if (session) return session;
    emailTaken = true;
  } finally {
    if (!emailTaken) {
      // If this fails, the reservation expires within the hour.
      c.executionCtx.waitUntil(
        releaseUse().catch(({ name: reason }: Error) =>
          c.var.log('warn', 'rate_limiter_failed', { binding: 'DB', reason }),
        ),
      );
    }
  }
  await countRevealed(c, email);
  throw new Refusal('email_taken');
}

/** @throws Refusal `email_taken`, `too_many_signups`, or `signup_failed` when storage is down */
export async function openAccount(
  c: Context<App>,
  who: Person,
  returning: Returning,
): Promise<SignedUp> {
  try {
    const session = await sessionFor(c, who, returning);
    c.set('account', session.account);
    const db = accountDatabase(c.env, session.account);
    return {
      access_token: await accessToken(c.env, session),
      deeplink_token: await createAppCode(db, session, Date.now()),
      entity: { external_user_id: session.account, uuid: c.var.visitor.uuid },
    };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // D1's errors contain the statement, never its values.
    const reason = messageOf(error);
    c.var.log('error', 'signup_failed', { reason });
    throw new Refusal('signup_failed');
  }
}

export const signUpByEmail = (c: Context<App>, who: SignUp): Promise<SignedUp> =>
  openAccount(c, { ...who, googleSub: null, isVerified: false }, sameBrowser);

export const signUp = createHandlers(jsonBody(body, { email: 'email_invalid' }), async (c) => {
  const data = await signUpByEmail(c, c.req.valid('json'));
  return c.json({ data });
});
