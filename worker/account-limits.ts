import type { Context } from 'hono';
import { limitsOfAddress } from './address-key.ts';
import type { App, Env } from './env.ts';
import { mailboxOf } from './funnel/mailbox.ts';
import { keyedHash } from './keyed-hash.ts';
import { countUse, hasRoom, type Limit, reserveUse } from './storage/rate-counts.ts';
import { secretOf } from './token.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The answer that an e-mail has an account already: that often within an hour to one address, for one
 * mailbox, and in all before a surge. During a surge an address gets fewer, and everybody still gets
 * some, so that nobody can shut the sign-up.
 */
const taken = { address: 5, mailbox: 10, surge: 1000, addressInSurge: 2 };
/** New accounts from one address within an hour; a carrier's customers share one. */
const signUps = 60;
/** Mails that anybody may have sent: to one mailbox, asked for from one address, and in all. */
const mails = { mailbox: 3, mailboxADay: 5, address: 10, all: 1000 };

const mailboxKey = (env: Env, email: string) =>
  keyedHash(secretOf(env), `mailbox:${mailboxOf(email.trim())}`);

const ofAddress = (c: Context<App>, name: string, most: number) =>
  limitsOfAddress(c, { name, most, span: hour });

const allTaken: Limit = { name: 'taken all', most: taken.surge, span: hour };

async function takenOfAddress(c: Context<App>): Promise<Limit[]> {
  const calm = await hasRoom(c.env.DB, [allTaken], Date.now());
  if (!calm) c.var.log('error', 'taken_surge', { count: taken.surge });
  return ofAddress(c, 'taken', calm ? taken.address : taken.addressInSurge);
}

/**
 * Counts a sign-up, and in advance the answer that its e-mail is taken: sign-ups that come all at once
 * learn no more than one after another.
 *
 * @returns gives that answer back, where it is not given; null for an address that may not sign up
 */
export async function reserveSignUp(c: Context<App>): Promise<(() => Promise<void>) | null> {
  const now = Date.now();
  const taken = await reserveUse(c.env.DB, await takenOfAddress(c), now);
  if (!taken) return null;
  if (await reserveUse(c.env.DB, await ofAddress(c, 'sign-up', signUps), now)) return taken;
  await taken();
  return null;
}

/** Whether one more visitor may be told that an e-mail has an account; counts that they are. */
export async function mayTellTaken({ env }: Context<App>, email: string): Promise<boolean> {
  const mailbox = `taken mailbox ${await mailboxKey(env, email)}`;
  const limits = [
    { name: mailbox, most: taken.mailbox, span: hour },
    // Only counted: what it is for is the surge.
    { ...allTaken, most: Number.MAX_SAFE_INTEGER },
  ];
  return countUse(env.DB, limits, Date.now());
}

/** Whether an address may ask for one more mail; counts it. */
export async function mayAskMail(c: Context<App>): Promise<boolean> {
  const limits = await ofAddress(c, 'mail', mails.address);
  return limits.length === 0 || countUse(c.env.DB, limits, Date.now());
}

/** Whether a mail that anybody may have sent goes to a mailbox; counts it. */
export async function mayMail(env: Env, email: string): Promise<boolean> {
  const name = `mail mailbox ${await mailboxKey(env, email)}`;
  const limits = [
    { name, most: mails.mailbox, span: 15 * minute },
    { name, most: mails.mailboxADay, span: day },
    { name: 'mail all', most: mails.all, span: hour },
  ];
  return countUse(env.DB, limits, Date.now());
}
