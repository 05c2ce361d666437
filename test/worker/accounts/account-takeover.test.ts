import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import { authenticated } from '../all-routes.ts';
import { here } from '../invitations/invitation-fixture.ts';
import { freshNumber } from '../invitations/sms/sms-fixture.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import { refusalOf, request, statusAndCode } from '../request.ts';
import {
  appLink,
  type Browser,
  bearer,
  browser,
  buy,
  cardPurchase,
  codeIn,
  dataOf,
  handOver,
  newEmail,
  type Opened,
  openCode,
  savedCard,
  signedUp,
  signInByEmail,
} from './browser.ts';

/** Invites somebody, who accepts and shares their position. */
async function locate(one: Browser, token: string) {
  const request = { phone: freshNumber(), name: 'Ana', duration: 'day', via: 'link' };
  const response = await one.send('/users/me/invitations', request, token);
  expect(response.status).toBe(200);
  const { link } = (await response.json()) as { link: string };
  const [person, code] = [browser(), codeIn(link)];
  await person.send('/invitations/open', { code });
  expect((await person.send('/invitations/accept', { code, position: here })).status).toBe(200);
}

/** Checks that every account call refuses this token. */
async function expectSessionEnded(one: Browser, token: string) {
  for (const { method, path } of authenticated) {
    const body = method === 'POST' ? { body: '{}' } : {};
    const headers = { 'content-type': 'application/json', ...bearer(token) };
    const response = await request(path, { method, headers, ...body });
    const refusal = await statusAndCode(response);
    expect([method, path, ...refusal]).toEqual([method, path, 401, 'unauthorized']);
  }
  expect(one.uuid).toBeTruthy();
}

const rowOf = (email: string) =>
  env.DB.prepare('SELECT * FROM accounts WHERE email = ?')
    .bind(email)
    .first<Record<string, unknown>>();

test('takeover: a stranger’s sign-up loses the account when the mailbox’s owner opens an e-mailed link', async () => {
  stubStripe();
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  const planted = await signedUp(attacker, email);
  const stolen = planted.access_token;
  const byHand = await dataOf<{ code: string }>(
    await attacker.read('/users/me/manual-code', stolen),
  );
  const hands = [await handOver(attacker, stolen), await handOver(attacker, stolen)];
  const apps = [planted.deeplink_token, await appLink(attacker, stolen)];
  const app = await dataOf<SignedUp>(
    await attacker.send('/deeplink/redeem', { code: await appLink(attacker, stolen) }),
  );

  const opened = await signInByEmail(victim, email);
  expect(opened.entity.uuid).toBe(victim.uuid);
  expect(await rowOf(email)).toMatchObject({ visitor_id: victim.uuid, name: email });
  await buy(victim, opened.access_token);
  await locate(victim, opened.access_token);
  const shown = await victim.read('/users/me/invitations', opened.access_token);
  expect(JSON.stringify(await shown.json())).toContain('latitude');

  await expectSessionEnded(attacker, stolen);
  await expectSessionEnded(attacker, app.access_token);
  for (const code of hands) expect((await openCode(attacker, code)).status).toBe(410);
  for (const code of apps)
    expect((await attacker.send('/deeplink/redeem', { code })).status).toBe(410);
  expect((await attacker.send('/deeplink/redeem', { email, code: byHand.code })).status).toBe(422);
  const again = await attacker.signUp(email);
  expect(await statusAndCode(again)).toEqual([422, 'email_taken']);
  expect((await victim.read('/users/me/purchases', opened.access_token)).status).toBe(200);
});

test('takeover: no code that its caller receives verifies a mailbox', async () => {
  const [attacker, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(attacker, email);
  const opened = await openCode(attacker, await handOver(attacker, access_token));
  expect(opened.status).toBe(200);
  expect(await rowOf(email)).toMatchObject({ verified_at: null });
  await attacker.send('/deeplink/redeem', {
    code: await appLink(attacker, (await dataOf<Opened>(opened)).access_token),
  });
  expect(await rowOf(email)).toMatchObject({ verified_at: null });
});

test('takeover: a link to another browser moves an unverified account and ends the first session', async () => {
  stubStripe();
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  const { access_token: stolen } = await signedUp(attacker, email);
  const [first, second] = [await handOver(attacker, stolen), await handOver(attacker, stolen)];
  const opened = await dataOf<Opened>(await openCode(victim, first));
  await buy(victim, opened.access_token);
  await buy(victim, opened.access_token, 'upsell_monthly_999_usd', savedCard);
  await expectSessionEnded(attacker, stolen);
  expect((await openCode(attacker, second)).status).toBe(410);
  expect((await attacker.signUp(email)).status).toBe(422);
  const row = await rowOf(email);
  expect(row).toMatchObject({ verified_at: null });
  // Neither the first browser's id nor the id of a browser that did not ask for the account.
  expect([attacker.uuid, victim.uuid]).not.toContain(row?.visitor_id);
});

test('takeover: until the mailbox is verified the app is read-only', async () => {
  stubStripe();
  const [buyer, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(buyer, email);
  await buy(buyer, access_token);
  const code = await appLink(buyer, access_token);
  const app = await dataOf<SignedUp>(await buyer.send('/deeplink/redeem', { code }));
  expect((await buyer.read('/users/me/purchases', app.access_token)).status).toBe(200);
  const calls = [
    buyer.send('/users/me/subscriptions/upsell_monthly_999_usd', savedCard, app.access_token),
    buyer.send('/users/me/other-browser-link', {}, app.access_token),
    buyer.send('/users/me/delete', {}, app.access_token),
    buyer.read('/users/me/export', app.access_token),
  ];
  for (const response of await Promise.all(calls))
    expect(await statusAndCode(response)).toEqual([403, 'email_unverified']);
  const next = await appLink(buyer, (await signInByEmail(buyer, email)).access_token);
  const own = await dataOf<SignedUp>(await buyer.send('/deeplink/redeem', { code: next }));
  expect((await buyer.read('/users/me/export', own.access_token)).status).toBe(200);
});

test('takeover: a visitor id in the body is ignored', async () => {
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  await signedUp(victim, email);
  const refused = await attacker.signUp(email, victim.uuid);
  expect(await statusAndCode(refused)).toEqual([422, 'email_taken']);
  const own = await dataOf<SignedUp>(await attacker.signUp(newEmail(), victim.uuid));
  expect(own.entity.uuid).toBe(attacker.uuid);
  const row = env.DB.prepare('SELECT visitor_id FROM accounts WHERE id = ?');
  expect(await row.bind(own.entity.external_user_id).first('visitor_id')).toBe(attacker.uuid);
});

test('takeover: a slow body does not outlive its session', async () => {
  stubStripe();
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  const { access_token } = await signedUp(attacker, email);
  let finish = () => {};
  const slow = new ReadableStream<Uint8Array>({
    async start(controller) {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      controller.enqueue(new TextEncoder().encode(JSON.stringify(savedCard)));
      controller.close();
    },
  });
  const headers = { 'content-type': 'application/json', ...bearer(access_token) };
  const held = request('/api/v1/users/me/subscriptions/upsell_monthly_999_usd', {
    method: 'POST',
    headers,
    body: slow,
    duplex: 'half',
  } as RequestInit);
  await buy(victim, (await signInByEmail(victim, email)).access_token);
  finish();
  expect(await statusAndCode(held)).toEqual([401, 'unauthorized']);
});

test('takeover: an earlier polling id does not read the owner’s continued attempt', async () => {
  stubStripe();
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  const { access_token } = await signedUp(attacker, email);
  const challengedPurchase = {
    ...cardPurchase,
    payment_method_nonce: 'pm_card_authenticationRequired',
  };
  const planted = await buy(attacker, access_token, 'monthly_usd', challengedPurchase);
  const opened = await signInByEmail(victim, email);
  const own = await buy(victim, opened.access_token, 'monthly_usd', challengedPurchase);
  expect(own).not.toBe(planted);
  const refused = await refusalOf(await request(`/api/v1/polling/get-result/${planted}`));
  expect(refused.slice(0, 2)).toEqual([404, 'poll_unknown']);
  expect(await buy(victim, opened.access_token, 'monthly_usd', challengedPurchase)).toBe(own);
});

test('sign-out: ends every session and code', async () => {
  const [owner, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(owner, email);
  const opened = await signInByEmail(owner, email);
  const [app, hand] = [
    await appLink(owner, opened.access_token),
    await handOver(owner, opened.access_token),
  ];
  expect((await owner.send('/users/me/sign-out', {}, opened.access_token)).status).toBe(200);
  for (const token of [access_token, opened.access_token]) await expectSessionEnded(owner, token);
  expect((await owner.send('/deeplink/redeem', { code: app })).status).toBe(410);
  expect((await openCode(owner, hand)).status).toBe(410);
  const back = await signInByEmail(owner, email);
  expect((await owner.read('/users/me/export', back.access_token)).status).toBe(200);
});

test('takeover: a deleted account’s token is refused, even if the e-mail has an account again', async () => {
  const [owner, email] = [browser(), newEmail()];
  await signedUp(owner, email);
  const { access_token } = await signInByEmail(owner, email);
  expect((await owner.send('/users/me/delete', {}, access_token)).status).toBe(200);
  await signedUp(owner, email);
  await expectSessionEnded(owner, access_token);
});
