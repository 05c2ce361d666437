import type { Context } from 'hono';
import { clientIpHash, ipLimits, siteGroups } from '../http/client-ip.ts';
import { shortTermDatabase } from '../platform/account-databases.ts';
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts';
import type { App } from '../platform/env.ts';
import { countUse, type Limit, roomAt } from '../platform/rate-count-table.ts';
import { provenId } from '../platform/types.ts';
import type { KnownAccount } from './account-table.ts';
import { ipDatabase, mailboxHash } from './signup-limits.ts';

const perRequester = 3;
const perRequesterADay = 5;
/** A day to a mailbox, for all networks together, and for all accounts together that nobody proved or paid for. */
const perMailbox = 20;
const perIp = 10;
const total = 1000;
/** Shorter than the 15 minutes of a link, so the mailbox always has one that can be used. */
const reserveMs = 10 * minuteMs;

export type EmailPage = 'manage' | 'cancel';

type Recipient = Pick<KnownAccount, 'id' | 'email'> &
  Partial<Pick<KnownAccount, 'userUuid' | 'verifiedAt'>>;

/** Cancelling has counts of its own, so no other request uses them up. */
const kindOf = (page: EmailPage | undefined) => (page === 'cancel' ? 'mail cancel' : 'mail');

export async function mayRequestEmail(c: Context<App>, page?: EmailPage): Promise<boolean> {
  const limits = await ipLimits(c, { name: kindOf(page), max: perIp, windowMs: hourMs });
  return limits.length === 0 || countUse(await ipDatabase(c, limits), limits, Date.now());
}

/** Whether the account's session or browser calls; the browser proves its id with its key. */
export const isOwnAccount = ({ var: { session, visitor } }: Context<App>, account: Recipient) =>
  session?.id === account.id || (!!account.userUuid && provenId(visitor) === account.userUuid);

const everPaid = (c: Context<App>, { id }: Recipient) => c.env.PURCHASES.getByName(id).everPaid();

/** Whether somebody proved the account's mailbox or paid for it. */
const isProven = async (c: Context<App>, account: Recipient) =>
  !!account.verifiedAt || (await everPaid(c, account));

async function requesterOf(c: Context<App>, account: Recipient) {
  // The console has no visitors.
  if (!c.var.visitor) return 'operator';
  if (!isOwnAccount(c, account)) return 'stranger';
  return (await isProven(c, account)) ? 'owner' : 'opener';
}

/** @property shared with other requesters */
interface Limits {
  own: Limit[];
  shared: Limit[];
}

/** @returns null when the requester gets no e-mail at all */
async function limitsOf(
  c: Context<App>,
  account: Recipient,
  mailbox: string,
  isWithinIp: boolean,
): Promise<Limits | null> {
  const requester = await requesterOf(c, account);
  const day = (name: string, max: number) => ({ name, max, windowMs: dayMs });
  const own = (by: string, aDay = perRequesterADay) => {
    const name = `${mailbox} ${by}`;
    return [{ name, max: perRequester, windowMs: 15 * minuteMs }, day(name, aDay)];
  };
  if (requester === 'operator') return { own: own(requester), shared: [] };
  if (requester === 'owner') return { own: own(account.id), shared: [] };
  const all = { name: `mail all ${requester}`, max: total, windowMs: hourMs };
  const shared = [day(`${mailbox} ${requester}s`, perMailbox), all];
  // Anybody may open an account with another person's address, so beyond the IP's limit it gets one e-mail.
  if (requester === 'opener') return { own: own(account.id, isWithinIp ? undefined : 1), shared };
  if (!isWithinIp) return null;
  return { own: own((await clientIpHash(c, siteGroups)) ?? 'unknown'), shared };
}

async function countsOf(
  c: Context<App>,
  account: Recipient,
  page: EmailPage | undefined,
  isWithinIp: boolean,
) {
  const mailbox = `${kindOf(page)} mailbox ${await mailboxHash(c.env, account.email)}`;
  const db = await shortTermDatabase(c.env, mailbox);
  return { db, limits: await limitsOf(c, account, mailbox, isWithinIp) };
}

/** When the account's session may request its next e-mail, as far as its own count says. Ms since 1970. */
export async function nextEmailAt(c: Context<App>, account: Recipient): Promise<number> {
  const { db, limits } = await countsOf(c, account, undefined, true);
  return roomAt(db, limits?.own ?? [], Date.now());
}

/**
 * Counts each requester separately, so that strangers cannot use up the owner's e-mails. A proven account has a reserve
 * of one e-mail in ten minutes: beyond the shared limits, and for whoever cancels a paid one beyond every limit.
 */
export async function maySendEmail(
  c: Context<App>,
  account: Recipient,
  page?: EmailPage,
  isWithinIp = true,
): Promise<boolean> {
  const { db, limits } = await countsOf(c, account, page, isWithinIp);
  const now = Date.now();
  if (limits && (await countUse(db, [...limits.own, ...limits.shared], now))) return true;
  if (!(await isProven(c, account))) return false;
  const reserve = { name: `${kindOf(page)} reserve ${account.id}`, max: 1, windowMs: reserveMs };
  if (limits && (await countUse(db, [...limits.own, reserve], now))) return true;
  return page === 'cancel' && (await everPaid(c, account)) && countUse(db, [reserve], now);
}
