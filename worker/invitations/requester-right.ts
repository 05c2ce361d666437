import type { Context } from 'hono';
import { canonicalMailbox } from '../accounts/rules/mailbox.ts';
import type { InvitationRight } from '../payments/purchase/invitation-right.ts';
import type { App, Env } from '../platform/env.ts';
import { hmacOf, permanentSecret } from '../platform/hmac.ts';
import { type AccountId, provenId } from '../platform/types.ts';
import { suspensionsOf } from './sms/sms-limiter-object.ts';

export const mailboxIdentity = (env: Env, email: string): Promise<string> =>
  hmacOf(permanentSecret(env), 'mailbox', canonicalMailbox(email));

export const browserIdentity = (env: Env, browser: string): Promise<string> =>
  hmacOf(permanentSecret(env), 'visitor', browser);

/** A block or a report holds for the mailbox and the browser, whichever account they use next. */
export async function requesterIdentities({
  env,
  var: { session, visitor },
}: Context<App>): Promise<[mailbox: string, ...browser: string[]]> {
  const requesterBrowser = provenId(visitor);
  const mailbox = mailboxIdentity(env, session.email);
  const browser = requesterBrowser ? [browserIdentity(env, requesterBrowser)] : [];
  return Promise.all([mailbox, ...browser]);
}

export async function isSuspended(
  env: Env,
  account: AccountId,
  identities: readonly string[],
): Promise<boolean> {
  const requesters = [...new Set([account, ...identities])];
  const all = requesters.map((each) => suspensionsOf(env, each).isSuspended(each));
  return (await Promise.all(all)).includes(true);
}

/**
 * Asked at the moment of each action, so it holds even if no notice of an end arrived.
 * @param identities hashes of the requester's mailbox and browsers, which a report suspends with the account
 * @throws when an object is down
 */
export async function requesterRight(
  env: Env,
  account: AccountId,
  identities: readonly string[],
): Promise<InvitationRight> {
  const [right, isPaused] = await Promise.all([
    env.PURCHASES.getByName(account).invitationRight(),
    isSuspended(env, account, identities),
  ]);
  return isPaused ? { ...right, refusal: 'invitations_paused' } : right;
}

/** Whether a report keeps the caller from buying. A mailbox that nobody proved does not reveal that it was reported. */
export async function isSuspendedBuyer(c: Context<App>): Promise<boolean> {
  const { account, session } = c.var;
  const [mailbox, ...browser] = await requesterIdentities(c);
  return isSuspended(c.env, account, session.verifiedAt ? [mailbox, ...browser] : browser);
}
