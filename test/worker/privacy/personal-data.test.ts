import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import {
  accountById,
  isCurrent,
  signOutEverywhere,
} from '../../../worker/accounts/account-table.ts';
import { manualCodeSeed } from '../../../worker/accounts/manual-code-table.ts';
import { createAppCode } from '../../../worker/accounts/one-time-codes.ts';
import { getEvents } from '../../../worker/analytics/event-objects.ts';
import { shardOf } from '../../../worker/analytics/rules/shards.ts';
import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';
import {
  eraseInvitations,
  findInviteeByCode,
  insertCode,
  insertInvitation,
  phoneHash,
} from '../../../worker/invitations/invitation-index.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { Env } from '../../../worker/platform/env.ts';
import type { AccountId, InvitationId, VisitorId } from '../../../worker/platform/types.ts';
import { erase, personalData } from '../../../worker/privacy/personal-data.ts';
import { insertConsent } from '../../../worker/visitor/consent-table.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { newAccount, verify } from '../accounts/account-fixture.ts';
import { storedEvent } from '../analytics/event-fixture.ts';
import { eventsOf, writeRollups } from '../analytics/rollups.ts';
import { here } from '../invitations/invitation-fixture.ts';
import { answerRightEarly } from '../invitations/plan-fixture.ts';
import { freshNumber, postInvitation } from '../invitations/sms/sms-fixture.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  requestPurchase,
  signedInHeaders,
} from '../payments/purchase-helpers.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';

const exported = (headers: Record<string, string>) =>
  request('/api/v1/users/me/export', { headers });
const leave = (headers: Record<string, string>) =>
  request('/api/v1/users/me', { method: 'DELETE', headers });
const rows = async (table: string, id: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table} WHERE account_id = ?`).bind(id).all()).results;

async function buyer() {
  const fake = stubStripe();
  const email = `${crypto.randomUUID()}@example.com`;
  const headers = await signedInHeaders(email);
  await pollUntilDone(await pollingId('monthly_usd', card(), headers));
  const known = await env.DB.prepare('SELECT id FROM accounts WHERE email = ?').bind(email);
  const id = (await known.first<string>('id')) ?? '';
  await verify(id);
  return { fake, email, headers, id };
}

test('export: is a file with the purchases and the accepted terms', async () => {
  const { email, headers, id } = await buyer();
  await vi.waitFor(async () => expect(await rows('ledger', id)).toHaveLength(1), pollTimeout);
  await vi.waitFor(async () => expect(await rows('entitlements', id)).toHaveLength(1), pollTimeout);
  const failed = env.DB.prepare(
    `INSERT INTO failed_renewals SELECT id, 5, account_id, gateway, 3999, 'USD', 6, 'open', NULL, 1
     FROM attempts WHERE account_id = ?`,
  );
  await failed.bind(id).run();
  const response = await exported(headers);
  expect(response.headers.get('content-disposition')).toContain('my-data.json');
  const { data } = (await response.json()) as { data: Record<string, object[]> };
  expect(data).toMatchObject({ account: [{ email }], payments: [{ amount: 3999 }] });
  expect(JSON.stringify(data.attempts)).toContain('Today you pay $39.99');
  expect(data).toMatchObject({ card: { last4: '4242' }, entitlements: [{ version: 1 }] });
  expect(data.failed_renewals).toMatchObject([{ amount: 3999, outcome: 'open' }]);
});

test('account deletion: renewals end, personal data is erased, payments stay under a bare id', async () => {
  const { fake, email, headers, id } = await buyer();
  const response = await leave(headers);
  expect(await response.json()).toMatchObject({
    data: { subscriptions: [{ state: 'ending', next: null }] },
  });
  // From now on the browser is a new visitor.
  expect(response.headers.getSetCookie().join()).toMatch(
    /^userUuid=[\da-f-]{36}; Max-Age=31536000; .*,visitorKey=[\w-]{27}; Max-Age=31536000; .*HttpOnly/,
  );
  expect(await statusAndCode(leave(headers))).toEqual([401, 'unauthorized']);
  expect(await env.DB.prepare('SELECT 1 FROM accounts WHERE id = ?').bind(id).first()).toBeNull();
  const refused = await refusalOf(await requestPurchase('quarterly_usd', card(), headers));
  expect(refused.slice(0, 2)).toEqual([401, 'unauthorized']);
  await vi.waitFor(() => {
    expect(Object.values(fake.state.subscriptions)).toMatchObject([{ cancel_at_period_end: true }]);
  }, pollTimeout);
  await vi.waitFor(async () => expect(await rows('ledger', id)).toHaveLength(1), pollTimeout);
  const paid = JSON.stringify([await rows('ledger', id), await rows('attempts', id)]);
  expect(paid).not.toContain(email);
});

test('account deletion: invitations end, and only their evidence stays', async () => {
  const { headers, id } = await buyer();
  const phone = freshNumber();
  const body = { phone, name: 'Ana', duration: 'day', via: 'link' };
  const response = await post('/users/me/invitations', body, headers);
  const { link } = (await response.json()) as { link: string };
  const code = link.split('#')[1];
  await post('/invitations/open', { code });
  await post('/invitations/accept', { code, position: here });
  const copy = (await (await exported(headers)).json()) as { data: Record<string, object[]> };
  expect(copy.data.invitations).toMatchObject([{ name: 'Ana', number_end: phone.slice(-2) }]);
  const person = await phoneHash(env, phone);
  await leave(headers);
  const kept = await runInDurableObject(env.INVITATIONS.getByName(person), (_object, { storage }) =>
    [...storage.kv.list()].map(([key, value]) => [key.split(':')[0], value] as const),
  );
  const keys = ['code', 'country', 'identities', 'invitation', 'invitee-key', 'site'];
  expect(kept.map(([key]) => key).sort()).toEqual(keys);
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${phone.slice(1)}|Ana|52\\.5`));
  const invitation = kept.find(([key]) => key === 'invitation')?.[1];
  expect(invitation).toMatchObject({ account: id, evidence: { length: 5 } });
  const opened = (await (await post('/invitations/open', { code })).json()) as object;
  expect(opened).toMatchObject({ data: { state: 'over', name: '', shared: null } });
});

test('account deletion: the account ends an invitation later if its invitee could not be told', async () => {
  const { headers, id } = await buyer();
  const phone = freshNumber();
  await answerRightEarly(phone);
  const ask = () => postInvitation(headers, { phone, via: 'link' });
  const down = {
    // Another tab invites after the first call to the invitees.
    EVENT_SHARDS: { getByName: () => ({ requestErasure: ask }) },
    INVITATIONS: {
      getByName: () => ({ forgetRequester: () => Promise.reject(new TypeError('down')) }),
    },
  } as unknown as Partial<Env>;
  expect((await request('/api/v1/users/me', { method: 'DELETE', headers }, down)).status).toBe(200);
  expect(await rows('invitations', id)).not.toEqual([]);
  await runInDurableObject(env.PURCHASES.getByName(id), (object: Purchases) => object.alarm());
  expect(await rows('invitations', id)).toEqual([]);
  const stub = env.INVITATIONS.getByName(await phoneHash(env, phone));
  const kept = await runInDurableObject(stub, (_object, { storage }) => [...storage.kv.list()]);
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${phone.slice(1)}|Ana`));
});

test('account deletion: the e-mail can open a new account', async () => {
  const { email, headers } = await buyer();
  await post('/users/me/delete', {}, headers);
  expect(await signedInHeaders(email)).toEqual({ authorization: expect.any(String) });
});

test('account deletion: is refused while a payment is under way', async () => {
  const { headers, email } = await buyer();
  const away = vi.fn(async () => new Response('{}', { status: 500 }));
  vi.stubGlobal('fetch', away);
  await requestPurchase('upsell_monthly_799_usd', card(), headers);
  expect(await statusAndCode(leave(headers))).toEqual([409, 'purchase_pending']);
  const kept = await env.DB.prepare('SELECT 1 FROM accounts WHERE email = ?').bind(email).first();
  expect(kept).not.toBeNull();
});

test('account deletion: a session that ends meanwhile deletes nothing', async () => {
  const { headers, id } = await buyer();
  const slow = {
    getByName: (name: string) => ({
      async deleteAccount(...args: Parameters<Purchases['deleteAccount']>) {
        await post('/users/me/sign-out', {}, headers);
        return env.PURCHASES.getByName(name).deleteAccount(...args);
      },
    }),
  };
  const more = { PURCHASES: slow as never };
  const left = await request('/api/v1/users/me', { method: 'DELETE', headers }, more);
  expect(await statusAndCode(left)).toEqual([401, 'unauthorized']);
  const kept = await env.DB.prepare('SELECT epoch FROM accounts WHERE id = ?').bind(id).first();
  expect(kept).toEqual({ epoch: 1 });
  const [held] = await env.PURCHASES.getByName(id).ownedSubscriptions();
  expect(held?.subscription).toMatchObject({ status: 'active', ends: false });
});

test('account deletion: an ended session is refused', async () => {
  const { id } = await newAccount();
  expect(await signOutEverywhere(env.DB, { account: id as AccountId, epoch: 0 })).toBe(true);
  expect(await signOutEverywhere(env.DB, { account: id as AccountId, epoch: 0 })).toBe(false);
  expect(await isCurrent(env.DB, { account: id as AccountId, epoch: 1 })).toBe(true);
});

test('export: an account gets five an hour, and others are not affected', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  for (const { id } of [one, other]) await verify(id);
  const statuses = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await exported(one.headers)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await exported(other.headers)).status).toBe(200);
});

test('export and deletion: need a confirmed e-mail, in a browser too', async () => {
  const { headers } = await newAccount();
  for (const response of [await exported(headers), await leave(headers)])
    expect(await statusAndCode(response)).toEqual([403, 'email_unverified']);
});

test("export and deletion: are refused without the account's token", async () => {
  for (const response of [await exported({}), await leave({})])
    expect(await statusAndCode(response)).toEqual([401, 'unauthorized']);
});

async function busy() {
  const account = await newAccount();
  const code = await createAppCode(env.DB, { account: account.id, epoch: 0 }, 5);
  const seed = (await manualCodeSeed(env.DB, account.id, 0, 5)) ?? '';
  const { userUuid: visitor } = account;
  await insertConsent(env.DB, { visitor, choice: 'yes', country: 'DE', language: 'de' }, 5);
  const hash = account.id;
  await insertCode(env.DB, { hash, inviteeKey: 'p', account: account.id, browser: 'secret' }, 5);
  await insertInvitation(
    env.DB,
    { id: `of ${account.id}` as InvitationId, account: account.id, inviteeKey: 'p' },
    5,
  );
  return { ...account, code, seed };
}

test('personal data: the export has every row of one account and no secret', async () => {
  const [{ id, email, code, seed }, other] = [await busy(), await busy()];
  const data = await personalData(env.DB, id as AccountId);
  expect(data).toMatchObject({
    account: [{ id, email, language: 'en' }],
    links: [{ purpose: 'app', created_at: 5 }],
    codes: [{ attempts: 0 }],
    invitations: [{ id: `of ${id}`, created_at: 5 }],
    attempts: [],
    payments: [],
    consents: [{ choice: 'yes', country: 'DE', chosen_at: 5 }],
  });
  const written = JSON.stringify(data);
  for (const foreign of [code, seed, 'code_hash', other.email])
    expect(written).not.toContain(foreign);
});

test('personal data: erasing removes one account and is idempotent', async () => {
  const [{ id, userUuid }, other] = [await busy(), await busy()];
  expect(await eraseInvitations(env, id as AccountId)).toBe(false);
  for (const _ of [1, 2]) {
    await erase(env.DB, id as AccountId);
    expect(await eraseInvitations(env, id as AccountId)).toBe(true);
  }
  expect(await accountById(env.DB, id as AccountId)).toBeNull();
  expect(Object.values(await personalData(env.DB, id as AccountId)).flat()).toEqual([]);
  const { links, consents } = await personalData(env.DB, other.id);
  expect([links.length, consents.length]).toEqual([1, 1]);
  // The account that leads to them is deleted, so the tables are read directly.
  const left = env.DB.prepare('SELECT visitor_id FROM consents WHERE visitor_id = ?');
  expect((await left.bind(userUuid).all()).results).toEqual([]);
  const found = [id, other.id].map((hash) => findInviteeByCode(env.DB, hash, 'b', 6));
  // The invitee of an erased account can still report it.
  const invitee = { inviteeKey: 'p', isRequester: false };
  expect(await Promise.all(found)).toEqual([invitee, invitee]);
});

test('events of one person: the export contains them, and a deletion removes them from R2 and the queue', async () => {
  const { headers, id } = await buyer();
  const visitor = (await env.DB.prepare('SELECT visitor_id FROM accounts WHERE id = ?')
    .bind(id)
    .first('visitor_id')) as VisitorId;
  const shard = env.EVENT_SHARDS.getByName(shardOf(visitor));
  // Another visitor in the same shard, and so in the same object.
  const others = Array.from({ length: 40 }, () => crypto.randomUUID() as VisitorId);
  const other = others.find((one) => shardOf(one) === shardOf(visitor)) as VisitorId;
  await shard.append([storedEvent({ visitor, name: 'lead' }), storedEvent({ visitor: other })], []);
  const namesOf = async () => {
    const { data } = (await (await exported(headers)).json()) as {
      data: { events: StoredEvent[] };
    };
    return data.events.map(({ name }) => name);
  };
  expect(await namesOf()).toEqual(['lead']);
  await writeRollups();
  await shard.append([storedEvent({ visitor, name: 'load' })], []);
  expect(await namesOf()).toEqual(['lead', 'load']);
  expect((await leave(headers)).status).toBe(200);
  await shard.append([storedEvent({ visitor, name: 'late' })], []);
  await writeRollups();
  expect(await eventsOf(visitor)).toEqual([]);
  expect(await eventsOf(other)).toHaveLength(1);
  const stored = await Promise.all(
    (await env.EVENTS.list()).objects.map(({ key }: { key: string }) => getEvents(env.EVENTS, key)),
  );
  expect(stored.flat().filter((event: StoredEvent) => event.visitor === visitor)).toEqual([]);
});
