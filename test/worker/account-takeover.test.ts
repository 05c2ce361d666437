import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SignedUp } from '../../worker/api/signup.ts';
import { patience } from '../patience.ts';
import { ask, post, refusalOf } from './ask.ts';
import { here } from './asked.ts';
import { freshNumber, listen } from './inviting.ts';
import { codeOf, mailQueue } from './mailing.ts';
import { openBank } from './purchases/bank.ts';
import { authenticated } from './routes.ts';

type Headers = Record<string, string>;
type Opened = SignedUp & { email: string; paid: boolean };

beforeEach(() => void listen());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Somebody's browser: its cookie, and its calls with it. */
function browser() {
  const uuid: string = crypto.randomUUID();
  const cookie = `userUuid=${uuid}`;
  const { more, sent } = mailQueue();
  const send = (path: string, body: unknown, token?: string) =>
    post(path, body, { cookie, ...(token && bearer(token)) }, more);
  const read = (path: string, token: string) =>
    ask(`/api/v1${path}`, { headers: { cookie, ...bearer(token) } });
  const signUp = (email: string, user_uuid = uuid) =>
    send('/signup', { email, user_uuid, landing_type: 'split_fullPrice' });
  return { uuid, send, read, signUp, sent };
}

type Browser = ReturnType<typeof browser>;

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const dataOf = async <Data>(response: Response) => ((await response.json()) as { data: Data }).data;
const codeIn = (link: string) => link.split('#')[1] ?? '';
const newEmail = () => `victim.${crypto.randomUUID()}@example.com`;

async function signedUp(one: Browser, email: string): Promise<SignedUp> {
  const response = await one.signUp(email);
  expect(response.status).toBe(200);
  return dataOf<SignedUp>(response);
}

/** Has a link mailed, and opens it as the mailbox’s owner. */
async function openMailed(one: Browser, email: string): Promise<Opened> {
  await one.send('/mail-link', { email });
  return dataOf<Opened>(await openCode(one, await codeOf(one.sent.at(-1))));
}

const openCode = (one: Browser, code: string) => one.send('/mail-link/open', { code });

async function handOver(one: Browser, token: string): Promise<string> {
  const { link } = await dataOf<{ link: string }>(await one.send('/users/me/way-here', {}, token));
  return codeIn(link);
}

async function appLink(one: Browser, token: string): Promise<string> {
  const made = await one.read('/users/me/deeplink-qr-code', token);
  return codeIn((await dataOf<{ short_deeplink: string }>(made)).short_deeplink);
}

const order = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa' };
const savedCard = { gateway: 'stripe' };

async function buy(one: Browser, token: string, plan = 'monthly_usd', body: object = order) {
  const response = await one.send(`/users/me/subscriptions/polling/${plan}`, body, token);
  expect(response.status).toBe(200);
  const { polling_result_id } = await dataOf<{ polling_result_id: string }>(response);
  await vi.waitFor(async () => {
    const result = await ask(`/api/v1/polling/get-result/${polling_result_id}`);
    expect(result.status).toBe(200);
  }, patience);
}

/** Invites somebody who agrees and shares where they are. */
async function locate(one: Browser, token: string) {
  const asked = { phone: freshNumber(), name: 'Ana', duration: 'day', via: 'link' };
  const response = await one.send('/users/me/invitations', asked, token);
  expect(response.status).toBe(200);
  const { link } = (await response.json()) as { link: string };
  const [person, code] = [browser(), codeIn(link)];
  await person.send('/invitations/open', { code });
  const accepted = await person.send('/invitations/accept', { code, position: here });
  expect(accepted.status).toBe(200);
}

/** Every call about an account, refused to this token. */
async function opensNothing(one: Browser, token: string) {
  for (const { method, path } of authenticated) {
    const body = method === 'POST' ? { body: '{}' } : {};
    const headers = { 'content-type': 'application/json', ...bearer(token) };
    const response = await ask(path, { method, headers, ...body });
    const refusal = (await refusalOf(response)).slice(0, 2);
    expect([method, path, ...refusal]).toEqual([method, path, 401, 'unauthorized']);
  }
  expect(one.uuid).toBeTruthy();
}

const rowOf = (email: string) =>
  env.DB.prepare('SELECT * FROM accounts WHERE email = ?')
    .bind(email)
    .first<Record<string, unknown>>();

test('who signed up with a stranger’s e-mail has nothing once its owner opens a mailed link', async () => {
  openBank();
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  const planted = await signedUp(attacker, email);
  const stolen = planted.access_token;
  const byHand = await dataOf<{ code: string }>(await attacker.read('/users/me/hand-code', stolen));
  const hands = [await handOver(attacker, stolen), await handOver(attacker, stolen)];
  const apps = [planted.deeplink_token, await appLink(attacker, stolen)];
  const app = await dataOf<SignedUp>(
    await attacker.send('/deeplink/redeem', { code: await appLink(attacker, stolen) }),
  );

  const opened = await openMailed(victim, email);
  expect(opened.entity.uuid).toBe(victim.uuid);
  expect(await rowOf(email)).toMatchObject({ user_uuid: victim.uuid, name: email });
  await buy(victim, opened.access_token);
  await locate(victim, opened.access_token);
  const shown = await victim.read('/users/me/invitations', opened.access_token);
  expect(JSON.stringify(await shown.json())).toContain('latitude');

  await opensNothing(attacker, stolen);
  await opensNothing(attacker, app.access_token);
  for (const code of hands) expect((await openCode(attacker, code)).status).toBe(410);
  for (const code of apps) {
    expect((await attacker.send('/deeplink/redeem', { code })).status).toBe(410);
  }
  const typed = { email, code: byHand.code };
  expect((await attacker.send('/deeplink/redeem', typed)).status).toBe(422);
  const again = await attacker.signUp(email);
  expect((await refusalOf(again)).slice(0, 2)).toEqual([422, 'email_taken']);
  expect((await victim.read('/users/me/purchases', opened.access_token)).status).toBe(200);
});

test('no code that its caller gets marks a mailbox as verified', async () => {
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

test('a link to another browser hands an unverified account over: who made it is out', async () => {
  openBank();
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  const { access_token: stolen } = await signedUp(attacker, email);
  const [first, second] = [await handOver(attacker, stolen), await handOver(attacker, stolen)];
  const opened = await dataOf<Opened>(await openCode(victim, first));
  await buy(victim, opened.access_token);
  await buy(victim, opened.access_token, 'upsell_monthly_799_usd', savedCard);
  await opensNothing(attacker, stolen);
  expect((await openCode(attacker, second)).status).toBe(410);
  expect((await attacker.signUp(email)).status).toBe(422);
  expect(await rowOf(email)).toMatchObject({ user_uuid: victim.uuid, verified_at: null });
});

test('until the mailbox is verified the app looks, and neither buys nor hands on', async () => {
  openBank();
  const [buyer, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(buyer, email);
  await buy(buyer, access_token);
  const code = await appLink(buyer, access_token);
  const app = await dataOf<SignedUp>(await buyer.send('/deeplink/redeem', { code }));
  expect((await buyer.read('/users/me/purchases', app.access_token)).status).toBe(200);
  const calls = [
    buyer.send('/users/me/subscriptions/upsell_monthly_799_usd', savedCard, app.access_token),
    buyer.send('/users/me/way-here', {}, app.access_token),
    buyer.send('/users/me/delete', {}, app.access_token),
    buyer.read('/users/me/export', app.access_token),
  ];
  for (const response of await Promise.all(calls)) {
    expect((await refusalOf(response)).slice(0, 2)).toEqual([403, 'email_unverified']);
  }
  const opened = await openMailed(buyer, email);
  const next = await appLink(buyer, opened.access_token);
  const own = await dataOf<SignedUp>(await buyer.send('/deeplink/redeem', { code: next }));
  expect((await buyer.read('/users/me/export', own.access_token)).status).toBe(200);
});

test('a visitor’s id in a body proves nothing, and opens nothing of that visitor', async () => {
  const [attacker, victim, email] = [browser(), browser(), newEmail()];
  await signedUp(victim, email);
  const told = await attacker.signUp(email, victim.uuid);
  expect((await refusalOf(told)).slice(0, 2)).toEqual([422, 'email_taken']);
  const own = await dataOf<SignedUp>(await attacker.signUp(newEmail(), victim.uuid));
  expect(own.entity.uuid).toBe(attacker.uuid);
  const row = env.DB.prepare('SELECT user_uuid FROM accounts WHERE id = ?');
  const kept = await row.bind(own.entity.external_user_id).first('user_uuid');
  expect(kept).toBe(attacker.uuid);
});

test('a body that comes slowly does not outlive the session that sends it', async () => {
  openBank();
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
  const path = '/api/v1/users/me/subscriptions/upsell_monthly_799_usd';
  const held = ask(path, { method: 'POST', headers, body: slow, duplex: 'half' } as RequestInit);
  const opened = await openMailed(victim, email);
  await buy(victim, opened.access_token);
  finish();
  expect((await refusalOf(await held)).slice(0, 2)).toEqual([401, 'unauthorized']);
});

test('signing out everywhere ends every session and code', async () => {
  const [owner, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(owner, email);
  const opened = await openMailed(owner, email);
  const [app, hand] = [
    await appLink(owner, opened.access_token),
    await handOver(owner, opened.access_token),
  ];
  expect((await owner.send('/users/me/sign-out', {}, opened.access_token)).status).toBe(200);
  for (const token of [access_token, opened.access_token]) await opensNothing(owner, token);
  expect((await owner.send('/deeplink/redeem', { code: app })).status).toBe(410);
  expect((await openCode(owner, hand)).status).toBe(410);
  const back = await openMailed(owner, email);
  expect((await owner.read('/users/me/export', back.access_token)).status).toBe(200);
});

test('a deleted account’s token opens nothing, though its e-mail has an account again', async () => {
  const [owner, email] = [browser(), newEmail()];
  const { access_token } = await signedUp(owner, email);
  expect((await owner.send('/users/me/delete', {}, access_token)).status).toBe(200);
  await signedUp(owner, email);
  await opensNothing(owner, access_token);
});

test('while nobody can say whether a session still stands, nobody gets in', async () => {
  const owner = browser();
  const { access_token } = await signedUp(owner, newEmail());
  const down = {
    prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error('D1')) }) }),
  };
  const headers = bearer(access_token);
  const response = await ask(
    '/api/v1/users/me/payments-settings',
    { headers },
    { DB: down as never },
  );
  expect((await refusalOf(response)).slice(0, 2)).toEqual([503, 'unavailable']);
});
