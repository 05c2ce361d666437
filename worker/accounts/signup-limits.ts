import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { ipLimits } from '../http/client-ip.ts';
import { shortTermDatabase } from '../platform/account-databases.ts';
import { dayMs, hourMs } from '../platform/durations.ts';
import type { App, Env } from '../platform/env.ts';
import { hmacOf, signingSecret } from '../platform/hmac.ts';
import {
  countUse,
  isBelowSurge,
  type Limit,
  reserveUse,
  withoutLimit,
} from '../platform/rate-count-table.ts';
import { codeHash } from './one-time-codes.ts';
import { canonicalMailbox } from './rules/mailbox.ts';

/** `email_taken` an hour. During a surge an IP still gets some, so that nobody can block sign-ups. */
const emailTakenLimits = { perIp: 5, surge: 1000, perIpInSurge: 2 };
/** New accounts an hour per IP; customers of a mobile carrier share one. */
const signUpsPerIp = 60;

export const mailboxHash = (env: Env, email: string) =>
  hmacOf(signingSecret(env), 'mailbox', canonicalMailbox(email.trim()));

const hourlyIpLimits = (c: Context<App>, name: string, max: number) =>
  ipLimits(c, { name, max, windowMs: hourMs });

/** All limits of an IP are counted in one database: that of the last limit, which is of the widest network. */
export const ipDatabase = (c: Context<App>, limits: readonly Limit[]) =>
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

/** Not limited for a mailbox: any other answer than a new account reveals it too, and would keep its owner out. */
export async function countRevealed({ env }: Context<App>, email: string): Promise<void> {
  const db = await shortTermDatabase(env, await mailboxHash(env, email));
  await countUse(db, [withoutLimit(surgeLimit)], Date.now());
}

/** Wrong manual codes an hour by a network: for one mailbox, so that no stranger ends its owner's code, and for all. */
const wrongCodes = { perMailbox: 5, perIp: 20 };

/** A code counts as wrong until it proves right. @returns a function that undoes the count; null at a limit */
export async function reserveManualCode(c: Context<App>, email: string) {
  const mailbox = await mailboxHash(c.env, email);
  const limits = await hourlyIpLimits(c, 'manual', wrongCodes.perIp);
  const own = await hourlyIpLimits(c, `manual ${mailbox}`, wrongCodes.perMailbox);
  return reserveUse(await ipDatabase(c, limits), [...own, ...limits], Date.now());
}

/** A credential of Google's lives for an hour. @returns false when it was used before, whatever became of that call */
export async function useCredential(env: Env, credential: string): Promise<boolean> {
  // Without the signature, whose base64 has several spellings.
  const name = `google ${await codeHash(credential.slice(0, credential.lastIndexOf('.')))}`;
  const limits = [{ name, max: 1, windowMs: dayMs }];
  return countUse(await shortTermDatabase(env, name), limits, Date.now());
}
