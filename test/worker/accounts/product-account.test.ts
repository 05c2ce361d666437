import { env } from 'cloudflare:test';
import { createHash } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { everythingOf } from '../../../worker/privacy/personal-data.ts';
import { createProduct, type ProductFake } from '../../fakes/product/server.ts';

import { post, request } from '../request.ts';
import { accountRow, later, verify } from './account-fixture.ts';
import { type Browser, bearer, browser, dataOf, newEmail, signInByEmail } from './browser.ts';

const key = 'sk_the_key_of_the_products_server_1';
const product = {
  PRODUCT_API_URL: 'https://product.test/api/v3',
  SERVER_KEY_HASHES: createHash('sha256').update(key).digest('hex'),
};

let fake: ProductFake;
beforeEach(() => {
  fake = createProduct();
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    fake.fetch(new Request(input, init)),
  );
});

type Forwarded = SignedUp & { own_access_token: string | null };

const signUp = (one: Browser, email: string) => {
  const body = { email, name: email, user_uuid: one.uuid, landing_type: 'split_fullPrice' };
  return post('/signup', body, { cookie: one.cookie }, product);
};

async function forwardedSignUp(one: Browser, email: string): Promise<Forwarded> {
  const response = await signUp(one, email);
  expect(response.status).toBe(200);
  return dataOf<Forwarded>(response);
}

const accountOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub as AccountId;

const own = (path: string, token: string | null) =>
  request(`/api/v1${path}`, { headers: bearer(token ?? '') }, product);

const right = async (account: AccountId) =>
  (await env.PURCHASES.getByName(account).invitationRight()).refusal;

/** What an account here must not lose when somebody signs up with its e-mail at the product. */
async function untouched(account: AccountId) {
  const { epoch, visitor_id, verified_at } = (await accountRow(account)) as Record<string, unknown>;
  return { epoch, visitor_id, verified_at };
}

interface Known {
  email: string;
  account: AccountId;
  owner: Browser;
}

async function unverified(): Promise<Known> {
  const [owner, email] = [browser(), newEmail()];
  const { entity } = await dataOf<SignedUp>(await owner.signUp(email));
  return { owner, email, account: entity.external_user_id as AccountId };
}

async function verified(): Promise<Known> {
  const known = await unverified();
  await verify(known.account);
  return known;
}

/** Bought at the product, from the browser that opened the account; the product then forgot its user. */
async function paid(): Promise<Known> {
  const [owner, email] = [browser(), newEmail()];
  const data = await forwardedSignUp(owner, email);
  await buy(data);
  fake.users.length = 0;
  return { owner, email, account: accountOf(data.own_access_token ?? '') };
}

async function buy({ access_token, own_access_token }: Forwarded, plan = 'monthly_7d_usd') {
  const session = { 'x-session': `Bearer ${own_access_token}` };
  const path = `/users/me/subscriptions/polling/${plan}`;
  const order = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa' };
  const started = await post(path, order, { ...bearer(access_token), ...session }, product);
  const { polling_result_id: id } = await dataOf<{ polling_result_id: string }>(started);
  const poll = () => request(`/api/v1/polling/get-result/${id}`, { headers: session }, product);
  expect((await poll()).status).toBe(202);
  expect((await poll()).status).toBe(200);
}

type Answer = 'ok' | 'known id' | 'refuses' | 'is down';

/** The product's answer to the next sign-up. */
function answerWith(answer: Answer, email: string) {
  if (answer === 'is down') fake.isDown = true;
  if (answer === 'refuses') fake.users.push({ id: 1, email, token: 't', subscriptions: {} });
  if (answer !== 'known id') return;
  // The id of another account's user here.
  const { fetch } = fake;
  fake.fetch = async (sent) => {
    const answered = (await (await fetch(sent)).json()) as { data: { entity: object } };
    answered.data.entity = { external_user_id: 77 };
    return Response.json(answered);
  };
}

const accounts: Record<string, () => Promise<Known | null>> = {
  'no account': async () => null,
  'unverified, own browser': unverified,
  'unverified, other browser': unverified,
  'verified, own browser': verified,
  'verified, other browser': verified,
  'paid, own browser': paid,
  'paid, other browser': paid,
};

/** `new` and `same`: a session of this account. `none`: only the product's session; the account stays as it was. */
const table: [account: string, ok: string, knownId: string][] = [
  ['no account', 'new', 'new'],
  ['unverified, own browser', 'same', 'same'],
  ['unverified, other browser', 'none', 'none'],
  ['verified, own browser', 'none', 'none'],
  ['verified, other browser', 'none', 'none'],
  ['paid, own browser', 'none', 'none'],
  ['paid, other browser', 'none', 'none'],
];

async function outcome(kind: string, answer: Answer) {
  const known = (await accounts[kind]?.()) ?? null;
  const email = known?.email ?? newEmail();
  const before = known && (await untouched(known.account));
  const caller = known && kind.endsWith('own browser') ? known.owner : browser();
  answerWith(answer, email);
  const response = await signUp(caller, email);
  if (response.status !== 200) {
    expect(known && (await untouched(known.account))).toEqual(before);
    return response.status;
  }
  const { own_access_token: token } = await dataOf<Forwarded>(response);
  if (token === null) {
    expect(known && (await untouched(known.account))).toEqual(before);
    return 'none';
  }
  expect((await own('/users/me/purchases', token)).status).toBe(200);
  const account = accountOf(token);
  expect(await accountRow(account)).toMatchObject({ email, verified_at: null, google_sub: null });
  return account === known?.account ? 'same' : 'new';
}

test.each(table)(
  'product account: %s, the product says ok with a new id: %s, with a known id: %s, refuses: 422, is down: 502',
  async (kind, ok, knownId) => {
    vi.spyOn(console, 'error').mockReturnValue();
    const outcomes = [];
    for (const answer of ['ok', 'known id', 'refuses', 'is down'] as const) {
      fake = createProduct();
      outcomes.push(await outcome(kind, answer));
    }
    expect(outcomes).toEqual([ok, knownId, 422, 502]);
  },
);

test('product account: a known id opens and changes nothing of the account that has it', async () => {
  const first = await forwardedSignUp(browser(), newEmail());
  await buy(first);
  const owner = accountOf(first.own_access_token ?? '');
  const before = await untouched(owner);
  answerWith('known id', '');
  fake.users[0] = { ...(fake.users[0] as (typeof fake.users)[0]), id: 77 };
  const second = await forwardedSignUp(browser(), newEmail());
  expect(accountOf(second.own_access_token ?? '')).not.toBe(owner);
  expect(await untouched(owner)).toEqual(before);
  expect(await right(owner)).toBeNull();
});

test('product account: a failure here leaves the product’s answer as it is', async () => {
  const down = {
    PURCHASES: { getByName: () => ({ linkProductUser: () => Promise.reject(new Error('down')) }) },
  };
  const body = { email: newEmail(), user_uuid: browser().uuid, landing_type: 'x' };
  const response = await post('/signup', body, {}, { ...product, ...(down as object) });
  const { own_access_token, access_token } = await dataOf<Forwarded>(response);
  expect([own_access_token, access_token]).toEqual([null, fake.users[0]?.token]);
});

test('product account: a Google sign-up opens an unverified account of the credential’s e-mail', async () => {
  const [one, email] = [browser(), newEmail()];
  const claims = Buffer.from(JSON.stringify({ email, email_verified: true })).toString('base64url');
  const body = {
    access_token: `a.${claims}.b`,
    driver: 'google',
    user_uuid: one.uuid,
    landing_type: 'x',
  };
  const path = '/authorize_social_via_access_token';
  const response = await post(path, body, { cookie: one.cookie }, product);
  const { own_access_token } = await dataOf<Forwarded>(response);
  const row = await accountRow(accountOf(own_access_token ?? ''));
  expect(row).toMatchObject({ email, verified_at: null, google_sub: null });
});

test('product account: a link opens our session, and says that it is not the product’s', async () => {
  const one = browser();
  Object.assign(one.more, product);
  const email = newEmail();
  await forwardedSignUp(one, email);
  const opened = await signInByEmail(one, email);
  expect(opened.own_access_token).toBe(opened.access_token);
  expect((await own('/users/me/invitations', opened.access_token)).status).toBe(200);
});

test('product account: the plan that the product sold gives the right to invite until its first period ends', async () => {
  const data = await forwardedSignUp(browser(), newEmail());
  const account = accountOf(data.own_access_token ?? '');
  expect(await right(account)).toBe('main_plan_required');
  await buy(data, 'upsell_monthly_999_usd');
  expect(await right(account)).toBe('main_plan_required');
  await buy(data);
  expect(await right(account)).toBeNull();
  later(7 * 86_400_000);
  expect(await right(account)).toBeNull();
  later(86_400_000);
  expect(await right(account)).toBe('main_plan_required');
});

test('product account: a purchase that is awaited gives the right too, a declined one does not', async () => {
  const data = await forwardedSignUp(browser(), newEmail());
  const account = accountOf(data.own_access_token ?? '');
  const headers = { ...bearer(data.access_token), 'x-session': `Bearer ${data.own_access_token}` };
  const order = (payment_method_nonce: string) =>
    post('/users/me/subscriptions/monthly_usd', { payment_method_nonce }, headers, product);
  expect((await order('declined')).status).toBe(402);
  expect(await right(account)).toBe('main_plan_required');
  expect((await order('pm_card_visa')).status).toBe(200);
  expect(await right(account)).toBeNull();
});

test('product account: one purchase gives no other account the right', async () => {
  const buyer = await forwardedSignUp(browser(), newEmail());
  const friend = await forwardedSignUp(browser(), newEmail());
  await buy({ ...buyer, own_access_token: friend.own_access_token });
  expect(await right(accountOf(friend.own_access_token ?? ''))).toBe('main_plan_required');
});

const day = 86_400_000;

const notify = (
  email: string,
  id: number,
  access_until: number,
  changed_at = Date.now(),
  token = key,
) => {
  const body = { email, external_user_id: id, access_until, changed_at };
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(token) },
  };
  return request('/webhooks/product', { ...init, body: JSON.stringify(body) }, product);
};

test('product account: the product’s notices extend and end the right; an older one changes nothing', async () => {
  const email = newEmail();
  const account = accountOf((await forwardedSignUp(browser(), email)).own_access_token ?? '');
  const id = fake.users[0]?.id ?? 0;
  const now = Date.now();
  expect((await notify(email, id, now + day, now)).status).toBe(200);
  expect(await right(account)).toBeNull();
  expect((await notify(email, id, 0, now + 1)).status).toBe(200);
  expect(await right(account)).toBe('main_plan_required');
  expect((await notify(email, id, now + day, now)).status).toBe(200);
  expect(await right(account)).toBe('main_plan_required');
});

test('product account: a notice needs the server’s key, the account’s e-mail and its user', async () => {
  const email = newEmail();
  await forwardedSignUp(browser(), email);
  const id = fake.users[0]?.id ?? 0;
  const until = Date.now() + day;
  const answers = [
    await notify(email, id, until, 1, 'sk_some_other_key_of_32_characters_'),
    await notify(newEmail(), id, until),
    await notify(email, id + 1, until),
    await notify(email, id, -1),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 404, 404, 400]);
});

test('product account: an account that was opened here takes the user of the first notice', async () => {
  const { email, account } = await verified();
  expect((await notify(email, 5, Date.now() + day)).status).toBe(200);
  expect(await right(account)).toBeNull();
  expect((await notify(email, 6, 0)).status).toBe(404);
  expect(await right(account)).toBeNull();
});

test('product account: the export has the product’s id, and the deletion forgets it and ends the right', async () => {
  const email = newEmail();
  const data = await forwardedSignUp(browser(), email);
  await buy(data);
  const account = accountOf(data.own_access_token ?? '');
  await verify(account);
  const { product: exported } = await everythingOf(env as unknown as Env, account);
  const external_user_id = String(fake.users[0]?.id);
  expect(exported).toEqual({ external_user_id, paid_until: expect.any(Number) });
  const deleted = await post('/users/me/delete', {}, bearer(data.own_access_token ?? ''), product);
  expect(deleted.status).toBe(200);
  expect([await env.PURCHASES.getByName(account).productUser(), await right(account)]).toEqual([
    undefined,
    'main_plan_required',
  ]);
});

test.each([
  [false, false, false],
  [false, true, true],
  [true, false, true],
  [true, true, true],
])(
  'product account: here %s, known to the product %s: its purchases are managed elsewhere: %s',
  async (isOutside, isKnown, elsewhere) => {
    const [one, email] = [browser(), newEmail()];
    const { access_token, entity } = await dataOf<SignedUp>(await one.signUp(email));
    const account = entity.external_user_id as AccountId;
    const notice = { user: 'u1', until: Date.now() + 1000, at: Date.now() };
    if (isKnown) await env.PURCHASES.getByName(account).takeProductNotice(account, notice);
    const headers = bearer(access_token);
    const more = isOutside ? product : {};
    const shown = await request('/api/v1/users/me/purchases', { headers }, more as Partial<Env>);
    const { data } = (await shown.json()) as { data: { subscriptions: []; elsewhere?: true } };
    expect([data.subscriptions, data.elsewhere === true]).toEqual([[], elsewhere]);
  },
);
