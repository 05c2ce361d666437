import { expect, vi } from 'vitest';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import { newIdentity } from '../../../worker/visitor/visitor.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { codeOf, mailQueue } from '../email/email-fixture.ts';
import { post, request } from '../request.ts';

type Headers = Record<string, string>;
export type Opened = SignedUp & { email: string; paid: boolean };

/** The cookies of a browser whose visitor id the Worker has set. */
export function browserCookies() {
  const { uuid, key } = newIdentity();
  return { uuid, cookie: `visitorKey=${key}; userUuid=${uuid}` };
}

/** A caller who knows a browser's visitor id, which scripts and providers see, and not its key. */
export const knowing = ({ uuid }: { uuid: string }): Browser =>
  browser({ uuid, cookie: `userUuid=${uuid}` });

/** A browser: its cookies, and calls with them. */
export function browser({ uuid, cookie }: { uuid: string; cookie: string } = browserCookies()) {
  const { more, sent } = mailQueue();
  const send = (path: string, body: unknown, token?: string) =>
    post(path, body, { cookie, ...(token && bearer(token)) }, more);
  const read = (path: string, token: string) =>
    request(`/api/v1${path}`, { headers: { cookie, ...bearer(token) } });
  const signUp = (email: string, user_uuid = uuid) =>
    send('/signup', { email, user_uuid, landing_type: 'split_fullPrice' });
  return { uuid, cookie, more, send, read, signUp, sent };
}

export type Browser = ReturnType<typeof browser>;

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
export const dataOf = async <Data>(response: Response) =>
  ((await response.json()) as { data: Data }).data;
export const codeIn = (link: string) => link.split('#')[1] ?? '';
export const newEmail = () => `victim.${crypto.randomUUID()}@example.com`;

export async function signedUp(one: Browser, email: string): Promise<SignedUp> {
  const response = await one.signUp(email);
  expect(response.status).toBe(200);
  return dataOf<SignedUp>(response);
}

/** Requests an e-mailed link, and opens it as the mailbox’s owner. */
export async function signInByEmail(one: Browser, email: string): Promise<Opened> {
  await one.send('/sign-in-link', { email });
  return dataOf<Opened>(await openCode(one, await codeOf(one.sent.at(-1))));
}

export const openCode = (one: Browser, code: string) => one.send('/sign-in-link/open', { code });

export async function handOver(one: Browser, token: string): Promise<string> {
  const { link } = await dataOf<{ link: string }>(
    await one.send('/users/me/other-browser-link', {}, token),
  );
  return codeIn(link);
}

export async function appLink(one: Browser, token: string): Promise<string> {
  const link = await one.read('/users/me/deeplink-qr-code', token);
  return codeIn((await dataOf<{ short_deeplink: string }>(link)).short_deeplink);
}

export const cardPurchase = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa' };
export const savedCard = { gateway: 'stripe' };

/** Buys a plan. @returns the polling id */
export async function buy(
  one: Browser,
  token: string,
  plan = 'monthly_usd',
  body: object = cardPurchase,
) {
  const response = await one.send(`/users/me/subscriptions/polling/${plan}`, body, token);
  if (response.status !== 200) throw new Error(await response.text());
  const { polling_result_id } = await dataOf<{ polling_result_id: string }>(response);
  await vi.waitFor(async () => {
    expect((await request(`/api/v1/polling/get-result/${polling_result_id}`)).status).toBe(200);
  }, pollTimeout);
  return polling_result_id;
}
