import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { SignedUp } from '../../worker/accounts/signup-api.ts';
import { findPayer, findPayerOf, payerNumbers } from '../../worker/payments/ledger/payer-lookup.ts';
import { accountDatabase, everyAccountDatabase } from '../../worker/platform/account-databases.ts';
import { numberInCode, numberInId } from '../../worker/platform/rules/database-number.ts';
import { paymentIdOf } from '../../worker/platform/types.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { verify } from '../worker/accounts/account-fixture.ts';
import { browserCookies, newEmail } from '../worker/accounts/browser.ts';
import { hiddenFields, open, send, signIn } from '../worker/console/console-client.ts';
import {
  deliver as deliverEmail,
  mailQueue,
  mailVars,
  stubMailVendor,
} from '../worker/email/email-fixture.ts';
import { freshNumber } from '../worker/invitations/sms/sms-fixture.ts';
import { attemptId } from '../worker/payments/attempts/attempt-fixture.ts';
import { stubStripe } from '../worker/payments/payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  signedInHeaders,
} from '../worker/payments/purchase-helpers.ts';
import { operate } from '../worker/payments/webhooks/admin-client.ts';
import { failingBinding, gatewayEvent } from '../worker/payments/webhooks/webhook-fixture.ts';
import { deliverToQueue } from '../worker/queue.ts';
import { post, refusalOf, request } from '../worker/request.ts';

/** Numbers of the databases with such rows. */
async function placesOf(table: string, column: string, value: string): Promise<number[]> {
  const counts = await Promise.all(
    everyAccountDatabase(env).map((db) =>
      db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(value).first('n'),
    ),
  );
  return counts.flatMap((count, number) => (count === 0 ? [] : [number]));
}

const tables = {
  accounts: 'id',
  one_time_codes: 'account_id',
  manual_codes: 'account_id',
  mailbox_codes: 'account_id',
  attempts: 'account_id',
  subscriptions: 'account_id',
  ledger: 'account_id',
  plan_changes: 'account_id',
  failed_renewals: 'account_id',
  entitlements: 'account_id',
  invitations: 'account_id',
  invitation_codes: 'account_id',
} as const;

/** Tables with rows of an account, and whether all of these rows are in the account's own database. */
async function rowsOf(account: string): Promise<{ tables: string[]; misplaced: string[] }> {
  const own = numberInId(account);
  const found = await Promise.all(
    Object.entries(tables).map(async ([table, column]) => ({
      table,
      places: await placesOf(table, column, account),
    })),
  );
  return {
    tables: found.flatMap(({ table, places }) => (places.length > 0 ? [table] : [])),
    misplaced: found.flatMap(({ table, places }) =>
      places.filter((number) => number !== own).map((number) => `${table} in ${number}`),
    ),
  };
}

const signUp = (email: string, uuid = crypto.randomUUID(), more = {}) =>
  post(
    '/signup',
    { email, user_uuid: uuid, landing_type: 'split_fullPrice' },
    { cookie: `userUuid=${uuid}` },
    more,
  );

async function signedUp(more = {}) {
  const email = `${crypto.randomUUID()}@example.com`;
  const uuid = crypto.randomUUID();
  const response = await signUp(email, uuid, more);
  const { data } = (await response.json()) as { data: SignedUp };
  const headers = { authorization: `Bearer ${data.access_token}` };
  return { id: data.entity.external_user_id, email, uuid, headers, deeplink: data.deeplink_token };
}

const idIn = ({ authorization }: { authorization: string }): string =>
  JSON.parse(atob(authorization.split('.')[1] ?? '')).sub;

interface CheckedPage extends Record<'unread' | 'differences', object[]> {
  checked: number;
  rows: { account: string }[];
  next: string | null;
}

/** Every page of a check. */
async function checkAll(): Promise<CheckedPage[]> {
  const pages: CheckedPage[] = [];
  for (let after: string | null = ''; after !== null; after = pages.at(-1)?.next ?? null)
    pages.push((await operate(`/check?after=${encodeURIComponent(after)}`)).data);
  return pages;
}

/** A buyer of the monthly plan. */
async function buyer(nonce?: string) {
  const fake = stubStripe();
  const email = `${crypto.randomUUID()}@example.com`;
  const headers = await signedInHeaders(email);
  const id = idIn(headers);
  await pollUntilDone(await pollingId('monthly_usd', card(nonce), headers));
  await vi.waitFor(
    async () => expect(await placesOf('entitlements', 'account_id', id)).not.toEqual([]),
    pollTimeout,
  );
  const db = accountDatabase(env, id);
  const read = async (sql: string) => (await db.prepare(sql).bind(id).first<string>('x')) ?? '';
  return {
    fake,
    email,
    headers,
    id,
    attempt: attemptId(await read('SELECT id AS x FROM attempts WHERE account_id = ?')),
    payment: paymentIdOf(await read('SELECT payment_id AS x FROM ledger WHERE account_id = ?')),
    customer: await read('SELECT customer_id AS x FROM subscriptions WHERE account_id = ?'),
  };
}

test('account databases: accounts are spread over them, each account’s rows are in one database, and DB has none', async () => {
  const all = await Promise.all(Array.from({ length: 24 }, () => signedUp()));
  for (const { id } of all) {
    expect(await rowsOf(id)).toEqual({ tables: ['accounts', 'one_time_codes'], misplaced: [] });
  }
  const used = new Set(all.map(({ id }) => numberInId(id)));
  // By chance all 24 are in two of four databases once in 2.8 million runs.
  expect(used.size).toBeGreaterThan(2);
  expect(used).not.toContain(0);
});

test('account databases: an e-mail has one account, in any letter case and with concurrent sign-ups', async () => {
  const name = crypto.randomUUID();
  const tries = [`${name}@example.com`, `${name.toUpperCase()}@Example.com`];
  const answers = await Promise.all([...tries, ...tries].map((email) => signUp(email)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  expect(await placesOf('accounts', 'email_key', `${name}@example.com`)).toHaveLength(1);
});

test('account databases: sign-in works by e-mailed link, by link into the app and by typed code', async () => {
  const { id, email, headers, deeplink } = await signedUp();
  expect(numberInCode(deeplink)).toBe(numberInId(id));
  const typed = await request('/api/v1/users/me/manual-code', { headers });
  const { code } = ((await typed.json()) as { data: { code: string } }).data;
  expect((await post('/deeplink/redeem', { code, email })).status).toBe(200);
  expect((await post('/deeplink/redeem', { code: deeplink })).status).toBe(200);
  const { sent, more } = mailQueue();
  expect((await post('/sign-in-link', { email }, {}, more)).status).toBe(202);
  const mail = stubMailVendor();
  await deliverEmail(sent, mailVars);
  const link = /\/m#(\w{4}[\w-]{22})/.exec(mail.inbox(email)[0]?.text ?? '')?.[1] ?? '';
  expect(numberInCode(link)).toBe(numberInId(id));
  const opened = await post('/sign-in-link/open', { code: link });
  expect(await opened.json()).toMatchObject({ data: { email, entity: { external_user_id: id } } });
  expect(await placesOf('sent_emails', 'id', sent[0]?.id ?? '')).toEqual([numberInId(id)]);
  expect((await rowsOf(id)).misplaced).toEqual([]);
});

test('account databases: a code with the number of a missing database is unknown', async () => {
  const code = `0fff${'a'.repeat(22)}`;
  for (const path of ['/deeplink/redeem', '/sign-in-link/open', '/card-link/open']) {
    expect([path, (await post(path, { code })).status]).toEqual([path, 404]);
  }
  expect((await post('/invitations/open', { code })).status).toBe(404);
});

test('account databases: a purchase is in the account’s own database, and its ids lead there', async () => {
  const { id, attempt, payment, customer } = await buyer();
  const { tables, misplaced } = await rowsOf(id);
  expect(misplaced).toEqual([]);
  expect(tables).toEqual(
    expect.arrayContaining(['attempts', 'subscriptions', 'ledger', 'entitlements']),
  );
  expect(numberInId(attempt)).toBe(numberInId(id));
  const nobody = { ...gatewayEvent(), customerId: null };
  for (const ref of [{ attempt }, { customerId: customer }, { paymentId: payment }])
    expect(await findPayer(env, { ...nobody, ...ref })).toBe(id);
  for (const ref of [
    { attempt: attemptId(`${attempt.slice(0, -1)}x`) },
    { customerId: 'cus_x' },
    { paymentId: paymentIdOf('pi_x') },
    {},
  ])
    expect(await findPayer(env, { ...nobody, ...ref })).toBeNull();
  expect(await findPayerOf(env, payment)).toBe(id);
  expect(await findPayerOf(env, paymentIdOf(customer))).toBeNull();
});

test('account databases: the payers of many movements are found with one query per database', async () => {
  const all = [await buyer(), await buyer(), await buyer()];
  const nobody = { ...gatewayEvent(), account: null };
  const refs = [
    ...all.map(({ payment: paymentId }) => ({ ...nobody, paymentId })),
    ...all.map(({ customer: customerId }) => ({ ...nobody, customerId })),
    { ...nobody, customerId: 'cus_x' },
    nobody,
  ];
  let queries = 0;
  const counted = Object.entries(env).map(([name, bound]) => {
    if (!/^DB_\d+$/.test(name)) return [name, bound];
    const prepare = (sql: string) => {
      queries += 1;
      return (bound as typeof env.DB).prepare(sql);
    };
    return [name, { prepare }];
  });
  const own = all.map(({ id }) => numberInId(id));
  expect(await payerNumbers(Object.fromEntries(counted), refs)).toEqual([...own, ...own, 0, 0]);
  expect(queries).toBeLessThanOrEqual(everyAccountDatabase(env).length);
});

test('account databases: a webhook with only a customer or payment id makes its account sync', async () => {
  const { id, fake, payment, customer } = await buyer();
  for (const ref of [{ customerId: customer }, { paymentId: payment }]) {
    const syncs: string[] = [];
    const getByName = (name: string) => ({ sync: async () => syncs.push(name) > 0 });
    const { again } = await deliverToQueue('funnel-webhooks', [gatewayEvent(ref)], 1, {
      PURCHASES: { getByName },
    } as never);
    expect([again, syncs]).toEqual([[], [id]]);
  }
  expect(Object.keys(fake.state.subscriptions)).toHaveLength(1);
});

test('account databases: an operator refunds a payment, and the row is in the account’s database', async () => {
  const { id, payment } = await buyer();
  const body = { payment_id: payment, amount: 1000, key: 'one', reason: 'asked' };
  expect((await operate('/refunds', body)).status).toBe(200);
  const db = accountDatabase(env, id);
  const refunds = db.prepare(
    "SELECT count(*) AS n FROM ledger WHERE account_id = ? AND kind = 'refund'",
  );
  await vi.waitFor(async () => expect(await refunds.bind(id).first('n')).toBe(1), pollTimeout);
  expect((await rowsOf(id)).misplaced).toEqual([]);
  const money = await open('/console/money', { headers: await signIn() });
  expect(await money.text()).toContain(payment);
});

test('account databases: the console finds a person by e-mail, payment, attempt and account, with their history', async () => {
  const { id, email, attempt, payment } = await buyer();
  const headers = await signIn();
  const path = `/console/people/${id}`;
  for (const text of [email.toUpperCase(), email.slice(0, 20), payment, attempt, id]) {
    const found = await send('/console/people', [['text', text]], { headers });
    expect([text, found.headers.get('location')]).toEqual([text, path]);
  }
  expect(await (await open(path, { headers })).text()).toContain(payment);
  const action = `${path}/refund/${payment}`;
  const { key = '' } = hiddenFields(await (await open(action, { headers })).text());
  const fields = [
    ['key', key],
    ['amount', '5.00'],
    ['reason', 'asked'],
    ['step', 'confirmed'],
  ];
  expect((await send(action, fields, { headers })).status).toBe(303);
  // The audit is in DB, the person's data elsewhere.
  await vi.waitFor(async () => {
    const html = await (await open(path, { headers })).text();
    expect(html).toContain('asked');
  }, pollTimeout);
});

test('account databases: the comparison of money reaches every account, one page at a time', async () => {
  await buyer();
  await buyer();
  // The gateway fake of the other buyers no longer exists, so they are not compared.
  const { id } = await buyer();
  await accountDatabase(env, id)
    .prepare('UPDATE ledger SET amount = 4000 WHERE account_id = ?')
    .bind(id)
    .run();
  const pages = await checkAll();
  const found = pages.flatMap(({ differences }) => differences);
  const checked = pages.reduce((sum, page) => sum + page.checked + page.unread.length, 0);
  const buyers = await Promise.all(
    [0, 1, 2, 3, 4].map((number) =>
      (number === 0 ? env.DB : accountDatabase(env, `000${number}0000-0000-8000-8000-000000000000`))
        .prepare('SELECT count(DISTINCT account_id) AS n FROM attempts')
        .first<number>('n'),
    ),
  );
  expect(checked).toBe(buyers.reduce<number>((sum, count) => sum + (count ?? 0), 0));
  expect(found).toContainEqual(expect.objectContaining({ account: id, ledger: 3999, copy: 4000 }));
});

test('account databases: a payer that is missing, or of another account, is found and written again', async () => {
  const { id, payment, customer } = await buyer();
  const rows = async () =>
    (await checkAll()).flatMap((page) => page.rows).filter(({ account }) => account === id);
  await vi.waitFor(async () => expect(await rows()).toEqual([]), pollTimeout);
  for (const db of everyAccountDatabase(env)) {
    await db.prepare('DELETE FROM payers WHERE id = ?').bind(payment).run();
    await db.prepare("UPDATE payers SET account_id = 'x' WHERE id = ?").bind(customer).run();
  }
  expect(await rows()).toMatchObject([
    { table: 'payers', id: customer, kind: 'changed', columns: ['account_id'] },
    { table: 'payers', id: payment, kind: 'missing' },
  ]);
  await env.PURCHASES.getByName(id).rebuildCopy();
  expect(await rows()).toEqual([]);
});

test('account databases: an invitation is in its requester’s database, and its code opens it', async () => {
  const { id, headers } = await buyer();
  const db = accountDatabase(env, id);
  await db.prepare('UPDATE accounts SET verified_at = 1 WHERE id = ?').bind(id).run();
  const body = { phone: freshNumber(), name: 'Ana', duration: 'day', via: 'link' };
  const invited = await post('/users/me/invitations', body, headers);
  const code = ((await invited.json()) as { link: string }).link.split('#')[1] ?? '';
  expect(numberInCode(code)).toBe(numberInId(id));
  expect((await post('/invitations/open', { code })).status).toBe(200);
  const { tables, misplaced } = await rowsOf(id);
  expect(misplaced).toEqual([]);
  expect(tables).toEqual(expect.arrayContaining(['invitations', 'invitation_codes']));
  const listed = await request('/api/v1/users/me/invitations', { headers });
  expect(((await listed.json()) as { data: object[] }).data).toHaveLength(1);
});

test('account databases: export and deletion reach the account and the visitor’s choices in all databases', async () => {
  const { uuid, cookie } = browserCookies();
  const sent = { email: newEmail(), user_uuid: uuid, landing_type: 'split_fullPrice' };
  const { data } = (await (await post('/signup', sent, { cookie })).json()) as { data: SignedUp };
  const id = data.entity.external_user_id;
  const headers = { cookie, authorization: `Bearer ${data.access_token}` };
  for (const db of everyAccountDatabase(env)) await verify(id, db);
  await post('/consent', { choice: 'yes' }, { cookie, 'cf-ipcountry': 'DE' });
  expect(await placesOf('consents', 'visitor_id', uuid)).toHaveLength(1);
  const exported = await request('/api/v1/users/me/export', { headers });
  expect(await exported.json()).toMatchObject({
    data: { account: [{ id }], consents: [{ choice: 'yes' }] },
  });
  expect((await request('/api/v1/users/me', { method: 'DELETE', headers })).status).toBe(200);
  expect(await rowsOf(id)).toEqual({ tables: [], misplaced: [] });
  // The mark by which queued events of the visitor are dropped.
  const marks = await placesOf('consents', 'id', `erased:${uuid}`);
  expect(marks).toHaveLength(1);
  expect(await placesOf('consents', 'visitor_id', uuid)).toEqual(marks);
});

test('account databases: a card has one intro, whichever accounts use it', async () => {
  stubStripe();
  const headers = await Promise.all([1, 2, 3, 4, 5].map(() => signedInHeaders()));
  const codes: unknown[] = [];
  for (const one of headers) {
    const response = await pollUntilDone(await pollingId('monthly_7d_usd', card(), one));
    codes.push(((await response.json()) as { errors?: { code: string } }).errors?.code ?? 'bought');
  }
  expect(codes).toEqual(['bought', ...codes.slice(1).map(() => 'intro_used')]);
  // One row for the card, because no mailbox is proven; reservations of refused attempts were released.
  const reserved = async () => {
    const counts = everyAccountDatabase(env).map((db) =>
      db.prepare('SELECT count(*) AS n FROM intros').first<number>('n'),
    );
    return (await Promise.all(counts)).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  };
  await vi.waitFor(async () => expect(await reserved()).toBe(1), pollTimeout);
});

test('account databases: new accounts go to added databases, and old accounts stay where they are', async () => {
  const [two, four] = [{ ACCOUNT_DATABASES: '2' }, { ACCOUNT_DATABASES: '2,4' }];
  const early = await Promise.all([1, 2, 3, 4, 5, 6].map(() => signedUp(two)));
  const inDb = await signedUp({ ACCOUNT_DATABASES: '' });
  expect(numberInId(inDb.id)).toBe(0);
  for (const { id } of early) expect(numberInId(id)).toBeLessThanOrEqual(2);
  for (const { email, id, headers } of [...early, inDb]) {
    const again = await signUp(email, crypto.randomUUID(), four);
    expect((await refusalOf(again)).slice(0, 2)).toEqual([422, 'email_taken']);
    const me = await request('/api/v1/users/me/manual-code', { headers }, four);
    const { code } = ((await me.json()) as { data: { code: string } }).data;
    expect((await post('/deeplink/redeem', { code, email }, {}, four)).status).toBe(200);
    expect((await rowsOf(id)).misplaced).toEqual([]);
  }
  const late = await Promise.all([1, 2, 3, 4, 5, 6].map(() => signedUp(four)));
  for (const { id } of late) expect(numberInId(id)).toBeGreaterThan(2);
});

test('account databases: while a database is down, only its own accounts get a 503', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => signedUp()));
  const stopped = numberInId(all[0]?.id ?? '');
  const more = { [`DB_${stopped}`]: failingBinding };
  for (const { id, headers } of all) {
    const { status } = await request('/api/v1/users/me/manual-code', { headers }, more);
    expect([id, status]).toEqual([id, numberInId(id) === stopped ? 503 : 200]);
  }
});
