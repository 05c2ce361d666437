import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { dayMs, hourMs, minuteMs } from '../durations.ts';
import type { App, Env } from '../env.ts';
import { clientIpHash, ipLimits } from '../http/client-ip.ts';
import { hmacOf, signingSecret } from '../http/hmac.ts';
import { shortTermDatabase } from '../storage/account-databases.ts';
import {
  countUse,
  isBelowSurge,
  type Limit,
  reserveUse,
  withoutLimit,
} from '../storage/rate-count-table.ts';
import type { VisitorId } from '../types.ts';
import type { KnownAccount } from './account-table.ts';
import { codeHash } from './one-time-codes.ts';
import { canonicalMailbox } from './rules/mailbox.ts';

/** `email_taken` an hour. During a surge an IP still gets some, so that nobody can block sign-ups. */
const emailTakenLimits = { perIp: 5, perMailbox: 10, surge: 1000, perIpInSurge: 2 };
/** New accounts an hour per IP; customers of a mobile carrier share one. */
const signUpsPerIp = 60;
const emails = {
  perRequester: 3,
  perRequesterADay: 5,
  perMailboxOfStrangers: 20,
  perIp: 10,
  total: 1000,
};
/** An IPv6 requester is a /48, which one person may have. */
const siteGroups = 3;

export type EmailPage = 'manage' | 'cancel';

type Recipient = Pick<KnownAccount, 'id' | 'email'> & { userUuid?: VisitorId };

const mailboxHash = (env: Env, email: string) =>
  hmacOf(signingSecret(env), 'mailbox', canonicalMailbox(email.trim()));

const hourlyIpLimits = (c: Context<App>, name: string, max: number) =>
  ipLimits(c, { name, max, windowMs: hourMs });

/** The database of the widest network, so that its limit covers every narrower one. */
const ipDatabase = (c: Context<App>, limits: readonly Limit[]) =>
  shortTermDatabase(c.env, limits.at(-1)?.name ?? '');

/** A limit for all visitors is counted in each account database separately, so it grows with the site. */
const surgeLimit: Limit = {
  name: 'email-taken all',
  max: emailTakenLimits.surge,
  windowMs: hourMs,
};

async function emailTakenIpLimits(c: Context<App>, db: D1Database): Promise<Limit[]> {
  const isBelow = await isBelowSurge(db, surgeLimit, 'account_probing_detected', c.var.log);
  return hourlyIpLimits(
    c,
    'email-taken',
    isBelow ? emailTakenLimits.perIp : emailTakenLimits.perIpInSurge,
  );
}

/** Parallel sign-ups reveal no more than sequential ones. @returns a function that cancels the reservation; null at a limit */
export async function reserveSignUp(c: Context<App>): Promise<(() => Promise<void>) | null> {
  const now = Date.now();
  const signUps = await hourlyIpLimits(c, 'sign-up', signUpsPerIp);
  const db = await ipDatabase(c, signUps);
  const releaseUse = await reserveUse(db, await emailTakenIpLimits(c, db), now);
  if (!releaseUse) return null;
  if (await reserveUse(db, signUps, now)) return releaseUse;
  await releaseUse();
  return null;
}

export async function mayRevealAccount({ env }: Context<App>, email: string): Promise<boolean> {
  const mailbox = `taken mailbox ${await mailboxHash(env, email)}`;
  const limits = [
    { name: mailbox, max: emailTakenLimits.perMailbox, windowMs: hourMs },
    withoutLimit(surgeLimit),
  ];
  return countUse(await shortTermDatabase(env, mailbox), limits, Date.now());
}

/** A credential of Google's lives for an hour. @returns false when it was used before, whatever became of that call */
export async function useCredential(env: Env, credential: string): Promise<boolean> {
  // Without the signature, whose base64 has several spellings.
  const name = `google ${await codeHash(credential.slice(0, credential.lastIndexOf('.')))}`;
  const limits = [{ name, max: 1, windowMs: dayMs }];
  return countUse(await shortTermDatabase(env, name), limits, Date.now());
}

/** Cancelling has counts of its own, so no other request uses them up. */
const kindOf = (page: EmailPage | undefined) => (page === 'cancel' ? 'mail cancel' : 'mail');

export async function mayRequestEmail(c: Context<App>, page?: EmailPage): Promise<boolean> {
  const limits = await hourlyIpLimits(c, kindOf(page), emails.perIp);
  return limits.length === 0 || countUse(await ipDatabase(c, limits), limits, Date.now());
}

/** Who requests the e-mail: the account's browser or session, an operator, or a network. */
async function requesterOf(c: Context<App>, { id, userUuid }: Recipient): Promise<string> {
  const { session, visitor } = c.var;
  const isOwner = session?.id === id || (visitor?.key && visitor.uuid === userUuid);
  if (isOwner) return 'owner';
  return (await clientIpHash(c, siteGroups)) ?? 'unknown';
}

/**
 * Counts each requester separately, so that strangers cannot use up the owner's e-mails. Together strangers get a
 * limited number for a mailbox; the owner, and whoever cancels, does not depend on theirs.
 */
export async function maySendEmail(
  c: Context<App>,
  recipient: Recipient,
  page?: EmailPage,
): Promise<boolean> {
  const { env } = c;
  const mailbox = `${kindOf(page)} mailbox ${await mailboxHash(env, recipient.email)}`;
  const requester = await requesterOf(c, recipient);
  const name = `${mailbox} by ${requester}`;
  const isReserved = requester === 'owner' || page === 'cancel';
  const all: Limit = { name: 'mail all', max: emails.total, windowMs: hourMs };
  const strangers: Limit = { name: mailbox, max: emails.perMailboxOfStrangers, windowMs: dayMs };
  const limits = [
    { name, max: emails.perRequester, windowMs: 15 * minuteMs },
    { name, max: emails.perRequesterADay, windowMs: dayMs },
    ...(isReserved ? [withoutLimit(all)] : [all, strangers]),
  ];
  return countUse(await shortTermDatabase(env, mailbox), limits, Date.now());
}
