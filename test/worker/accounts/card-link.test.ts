import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { cardBearer } from '../../../worker/accounts/access-token.ts';
import { accountById, signOutEverywhere } from '../../../worker/accounts/account-table.ts';
import { cardLinkCode } from '../../../worker/accounts/card-link.ts';
import type { App } from '../../../worker/platform/env.ts';
import { Refusal } from '../../../worker/platform/errors.ts';
import { post, refusalOf as refusal, request } from '../request.ts';
import { later, newAccount } from './account-fixture.ts';

const refusalOf = async (response: Response) => (await refusal(response))[1];

const hour = 60 * 60_000;

async function linked() {
  const account = await newAccount();
  const code = await cardLinkCode(
    env.DB,
    { ...account, epoch: 0 },
    [crypto.randomUUID()],
    Date.now(),
  );
  return { ...account, code };
}

const open = (code: string) => post('/card-link/open', { code });

async function tokenOf(code: string): Promise<string> {
  const { data } = (await (await open(code)).json()) as { data: { card_token: string } };
  return data.card_token;
}

const cardPage = new Hono<App>()
  .get('/', cardBearer, (c) => c.text(c.var.account))
  .onError((error, c) => c.text(error instanceof Refusal ? error.code : error.message, 401));

const onCardPage = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await cardPage.request('/', { headers }, env);
  expect(response.headers.has('x-access-token')).toBe(false);
  return response.text();
};

test('card link: gives access to the card page only, and is never renewed', async () => {
  const { id, code } = await linked();
  const token = await tokenOf(code);
  expect(await onCardPage(token)).toBe(id);
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['/users/me/purchases', '/users/me/export', '/users/me/deeplink-qr-code'])
    expect((await request(`/api/v1${path}`, { headers })).status).toBe(401);
  expect((await post('/users/me/delete', {}, headers)).status).toBe(401);
  later(29 * 60_000);
  expect(await onCardPage(token)).toBe(id);
  later(60_000);
  expect(await onCardPage(token)).toBe('unauthorized');
});

test('card link: works once even if opened in parallel; a check does not use it up', async () => {
  const { code, email } = await linked();
  const check = async () =>
    ((await (await post('/card-link/check', { code })).json()) as { data: object }).data;
  expect(await check()).toEqual({ state: 'ready', email: `${email[0]}…@${email.split('@')[1]}` });
  const replies = await Promise.all(Array.from({ length: 10 }, () => open(code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await refusalOf(await open(code))).toBe('card_link_used');
  expect(await check()).toEqual({ state: 'used', email: null });
});

test('card link: works for 24 hours, but not after a sign-out everywhere', async () => {
  const [early, late, ended] = [await linked(), await linked(), await linked()];
  await signOutEverywhere(env.DB, { account: ended.id, epoch: 0 });
  expect(await refusalOf(await open(ended.code))).toBe('card_link_expired');
  later(24 * hour - 1000);
  expect((await open(early.code)).status).toBe(200);
  later(1000);
  expect(await refusalOf(await open(late.code))).toBe('card_link_expired');
  expect(await refusalOf(await open('x'))).toBe('card_link_unknown');
});

test('card link: neither signs in nor verifies the mailbox, and a retry of the e-mail has the same link', async () => {
  const { id, code } = await linked();
  expect(await refusalOf(await post('/sign-in-link/open', { code }))).toBe('sign_in_link_unknown');
  expect(await refusalOf(await post('/deeplink/redeem', { code }))).toBe('deeplink_unknown');
  expect(await cardLinkCode(env.DB, { id, epoch: 0 }, ['new', code], Date.now())).toBe(code);
  await tokenOf(code);
  expect((await accountById(env.DB, id))?.verifiedAt).toBe(null);
});
