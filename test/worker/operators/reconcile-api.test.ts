import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  type CopiedTable,
  copiedTables,
} from '../../../worker/payments/ledger/rules/copied-rows.ts';
import type { Subscription } from '../../../worker/payments/purchase/state.ts';
import { minor } from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { buyAndProject, stubUnreliableStripe } from '../payments/webhooks/webhook-fixture.ts';
import { sampled } from '../sampled.ts';

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM attempts'),
    env.DB.prepare('DELETE FROM ledger'),
  ]);
  const { keys } = await env.FUNNEL.list({ prefix: 'buyers/' });
  for (const { name } of keys) await env.FUNNEL.delete(name);
});
const row = (id: string) => env.DB.prepare('SELECT * FROM ledger WHERE id = ?').bind(id).first();

test('reconcile: no purchases, no differences', async () => {
  const nothing = { checked: 0, unread: [], differences: [], rows: [], next: null };
  expect((await operate('/check')).data).toEqual(nothing);
});

test('reconcile: equal amounts are no difference, declines included', async () => {
  stubUnreliableStripe();
  await buyAndProject();
  await buyAndProject({ nonce: 'pm_card_visa_chargeDeclined' });
  const { stub, account, paymentId } = await buyAndProject();
  await stub.refund(paymentId, minor(100), 'k');
  await vi.waitFor(
    async () => expect(await stub.compare()).toMatchObject({ pending: [] }),
    pollTimeout,
  );
  expect(account).not.toBe('');
  expect((await operate('/check')).data).toEqual({
    checked: 3,
    unread: [],
    differences: [],
    rows: [],
    next: null,
  });
});

test('reconcile: money that only the gateway knows is found before it is corrected', async () => {
  const { fake } = stubUnreliableStripe();
  const { account, attempt, stub } = await buyAndProject();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 33 * 86_400_000 });
  fake.passTime();
  const renewal = fake.captures().at(-1)?.payment_intent;
  const difference = { id: `capture:${renewal}`, account, attempt, gateway: 'stripe' };
  const found = { checked: 1, differences: [{ ...difference, currency: 'USD', provider: 3999 }] };
  for (let again = 0; again < 2; again++) {
    const { data } = await operate('/check');
    expect(data).toMatchObject(found);
    expect(data).toMatchObject({ differences: [{ ledger: null, copy: null }] });
  }
  await stub.sync();
  expect((await operate('/check')).data).toMatchObject({ differences: [] });
});

test('reconcile: a reversed refund is no difference', async () => {
  const { fake } = stubUnreliableStripe();
  const { stub, paymentId } = await buyAndProject();
  await stub.refund(paymentId, minor(100), 'k');
  const [refund = ''] = Object.keys(fake.state.refunds);
  await vi.waitFor(async () => expect(await row(`refund:${refund}`)).not.toBeNull(), pollTimeout);
  fake.failRefund(refund);
  const before = { differences: [{ id: `refund:${refund}`, ledger: 100, provider: null }] };
  expect((await operate('/check')).data).toMatchObject(before);
  await stub.sync();
  await vi.waitFor(async () => expect(await row(`refund:${refund}#2`)).not.toBeNull(), pollTimeout);
  expect((await operate('/check')).data).toMatchObject({ checked: 1, differences: [] });
});

test.each<[string, string, object]>([
  ['one cent more in the copy', 'UPDATE ledger SET amount = 4000', { ledger: 3999, copy: 4000 }],
  ['a row that the copy lost', 'DELETE FROM ledger', { ledger: 3999, copy: null }],
])('reconcile: %s is found', async (_what, sql, difference) => {
  stubUnreliableStripe();
  const { paymentId } = await buyAndProject();
  await vi.waitFor(
    async () => expect(await row(`capture:${paymentId}`)).not.toBeNull(),
    pollTimeout,
  );
  await env.DB.prepare(sql).run();
  expect((await operate('/check')).data).toMatchObject({
    differences: [{ id: `capture:${paymentId}`, provider: 3999, ...difference }],
  });
});

test('reconcile: a stray row in the copy is found', async () => {
  stubUnreliableStripe();
  const { account, attempt } = await buyAndProject();
  await env.DB.prepare(
    `INSERT INTO ledger (id, attempt_id, account_id, kind, amount, currency, payment_id, gateway,
       arm, occurred_at)
     VALUES ('capture:pi_x', ?, ?, 'capture', 5, 'USD', 'pi_x', 'stripe', 'a', 1)`,
  )
    .bind(attempt, account)
    .run();
  expect((await operate('/check')).data).toMatchObject({
    differences: [{ id: 'capture:pi_x', ledger: null, provider: null, copy: 5 }],
  });
});

test('reconcile: accounts that could not be read are listed', async () => {
  const { line } = stubUnreliableStripe();
  const { account, attempt } = await buyAndProject();
  line.dead = true;
  const nothing = { checked: 0, unread: [{ account, attempt }], differences: [] };
  expect((await operate('/check')).data).toMatchObject(nothing);
});

test('reconcile: paging compares every account once', async () => {
  const ids = Array.from({ length: 23 }, (_, index) => `account-${String(index).padStart(2, '0')}`);
  const insert = env.DB.prepare(
    `INSERT INTO attempts (id, account_id, slot, plan, gateway, amount, arm, state, opened_at,
       version)
     VALUES (?, ?, 'main', 'monthly_usd', 'stripe', 3999, 'a', 'failed', 1, 1)`,
  );
  await env.DB.batch([...ids, ...ids].map((id, index) => insert.bind(`attempt-${index}`, id)));
  const pages = [];
  let after = '';
  for (let next: string | null = ''; next !== null; after = next ?? '') {
    const { data }: { data: { checked: number; next: string | null } } = await operate(
      `/check?after=${after}`,
    );
    pages.push(data.checked);
    next = data.next;
  }
  expect(pages).toEqual([10, 10, 3]);
});

test('gateways: reports each provider, and prices that differ from the plan’s', async () => {
  stubUnreliableStripe();
  const { data } = await operate('/gateways', undefined, {
    STRIPE_PRICES: '{"monthly_usd":"price_x"}',
  });
  const [stripe, braintree]: { prices: { plan: string; problems: string[] }[] }[] = data;
  expect(stripe).toMatchObject({ gateway: 'stripe', open: true, webhooks: true, unread: null });
  expect(stripe?.prices.find(({ plan }) => plan === 'monthly_usd')).toEqual({
    plan: 'monthly_usd',
    price: 'price_x',
    problems: ['it does not exist'],
  });
  expect(stripe).toMatchObject({ retries: { planned: 0, unplanned: 0, furthestDays: null } });
  expect(braintree).toMatchObject({ gateway: 'braintree', prices: [] });
});

const copied = 'attempts subscriptions ledger entitlements failed_renewals plan_changes'.split(' ');
const copy = async () =>
  Object.fromEntries(
    await Promise.all(
      copied.map(async (table) => {
        const { results } = await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1`).all();
        // The time at which an entitlement was noticed is not in the object.
        return [table, results.map(({ changed_at: _, ...row }) => row)];
      }),
    ),
  );
const forget = (where: string) =>
  env.DB.batch(copied.map((table) => env.DB.prepare(`DELETE FROM ${table} ${where}`)));

/** An account with a row in each copied table; the change and the failures are in its object and then in D1. */
async function everyRow() {
  stubUnreliableStripe();
  await forget('');
  const { stub, account, attempt } = await buyAndProject();
  await runInDurableObject(stub, (_, { storage: { kv } }) => {
    const subscription = kv.get<Subscription>(`subscription:${attempt}`);
    const failed = { failedAt: 6, amount: 3999, endedAt: 7, notices: [] };
    const failures = [1, 2].map((periodEndedAt) => ({ ...failed, periodEndedAt, outcome: 'lost' }));
    kv.put(`failure:${attempt}:1`, failures[0]);
    kv.put(`subscription:${attempt}`, { ...subscription, failure: failures[1] });
    kv.put('change:c1', {
      ...{ id: 'c1', attempt, kind: 'plan', plan: 'quarterly_usd', amount: 100, credit: 5 },
      ...{ state: 'done', paymentId: null, takesEffectAt: 8, until: null, openedAt: 5, version: 2 },
    });
    kv.put('change:c2', {
      ...{ id: 'c2', attempt, state: 'quoted', version: 1 },
      plan: 'monthly_usd',
    });
  });
  await vi.waitFor(
    async () => expect(await stub.compare()).toMatchObject({ pending: [] }),
    pollTimeout,
  );
  await operate('/rebuild', { after: '', reason: 'fill' });
  const rows = async () => {
    const { data } = (await operate('/check')) as { data: { rows: { columns?: string[] }[] } };
    // The table has its columns in the order in which they were added.
    return data.rows.map((row) => ({
      ...row,
      ...(row.columns && { columns: row.columns.toSorted() }),
    }));
  };
  await vi.waitFor(async () => expect(await rows()).toEqual([]), pollTimeout);
  return { account, rows };
}

const everyTable = Object.keys(copiedTables) as CopiedTable[];

/** `changed` has an older version, `raised` a newer one than the object's. */
const damages = everyTable.flatMap((table) =>
  (['deleted', 'changed', 'raised', 'stray'] as const).map((what) => [table, what] as const),
);

test.each(sampled(damages, 3))(
  'reconcile: a row of %s that was %s is found and repaired',
  async (table, what) => {
    const { account, rows } = await everyRow();
    const all = async () =>
      (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all<Record<string, unknown>>())
        .results;
    const before = await all();
    const { key, unknown }: Record<string, readonly string[]> = copiedTables[table];
    const idOf = (row: Record<string, unknown>) => key?.map((name) => row[name]).join(' ');
    // An account's rows are found by its id, and the database checks the kind of money.
    const fixed = [...(key ?? []), ...(unknown ?? []), 'account_id', 'kind'];
    const columns = Object.keys(before[0] ?? {}).filter((name) => !fixed.includes(name));
    const where = key?.map((name) => `${name} = ?`).join(' AND ');
    const [row = {}] = before;
    const keys = key?.map((name) => row[name]) ?? [];
    if (what === 'deleted') {
      await env.DB.prepare(`DELETE FROM ${table} WHERE ${where}`)
        .bind(...keys)
        .run();
      expect(await rows()).toEqual([{ account, table, id: idOf(row), kind: 'missing' }]);
    } else if (what === 'stray') {
      // An account has one row of entitlements.
      if (table === 'entitlements') return;
      const others = Object.keys(row).filter((name) => name !== key?.[0]);
      await env.DB.prepare(
        `INSERT INTO ${table} (${key?.[0]}, ${others.join()}) SELECT 'stray', ${others.join()} FROM ${table} WHERE ${where}`,
      )
        .bind(...keys)
        .run();
      const id = ['stray', ...keys.slice(1)].join(' ');
      expect(await rows()).toEqual([{ account, table, id, kind: 'unknown' }]);
    } else {
      const types = await env.DB.prepare(
        `SELECT name, type FROM pragma_table_info('${table}')`,
      ).all();
      const typeOf = new Map(types.results.map(({ name, type }) => [name, type]));
      const version = what === 'raised' ? '999999' : '0';
      if (what === 'raised' && typeOf.has('version') && !columns.includes('version'))
        columns.push('version');
      const otherThan = (name: string) =>
        name === 'version' ? version : typeOf.get(name) === 'TEXT' ? "'other'" : '77';
      const values = columns.map((name) => `${name} = ${otherThan(name)}`).join(', ');
      await env.DB.prepare(`UPDATE ${table} SET ${values} WHERE ${where}`)
        .bind(...keys)
        .run();
      const changed = { account, table, id: idOf(row), kind: 'changed' };
      expect(await rows()).toEqual([{ ...changed, columns: columns.toSorted() }]);
      expect(columns.length).toBeGreaterThan(0);
    }
    await operate('/rebuild', { after: '', reason: 'repair' });
    expect(await rows()).toEqual([]);
    const known = (found: typeof before) =>
      found.map((each) => Object.entries(each).filter(([name]) => !unknown?.includes(name)));
    expect(known(await all())).toEqual(known(before));
  },
);

test('reconcile: a row of D1 that no object has is found; what still waits in the outbox is not', async () => {
  const { account, rows } = await everyRow();
  await env.DB.prepare(
    `INSERT INTO plan_changes SELECT 'stray', attempt_id, account_id, kind, plan, amount, credit, currency, state,
       payment_id, takes_effect_at, pauses_until, opened_at, version FROM plan_changes`,
  ).run();
  expect(await rows()).toEqual([{ account, table: 'plan_changes', id: 'stray', kind: 'unknown' }]);
  await operate('/rebuild', { after: '', reason: 'repair' });
  expect(await rows()).toEqual([]);
  await env.DB.prepare('DELETE FROM subscriptions').run();
  await runInDurableObject(env.PURCHASES.getByName(account), (_, { storage: { kv } }) => {
    const [[, subscription] = []] = kv.list({ prefix: 'subscription:' });
    kv.put('outbox:999999999999999:000000001', { kind: 'subscription', subscription, account });
  });
  expect(await rows()).toEqual([]);
});

/** Every page of a check, from the first. */
async function checkAll() {
  const found = { checked: 0, differences: 0, lost: [] as string[] };
  for (let after: string | null = ''; after !== null; ) {
    const { data } = await operate(`/check?after=${encodeURIComponent(after)}`);
    const page = data as { checked: number; differences: []; lost?: string[]; next: string | null };
    found.checked += page.checked;
    found.differences += page.differences.length;
    found.lost.push(...(page.lost ?? []));
    after = page.next;
  }
  return found;
}

test('reconcile: a buyer of whom D1 lost every row is found by the list of buyers', async () => {
  stubUnreliableStripe();
  await buyAndProject();
  const { account } = await buyAndProject();
  await vi.waitFor(async () => expect((await checkAll()).differences).toBe(0), pollTimeout);
  await forget(`WHERE account_id = '${account}'`);
  expect(await checkAll()).toEqual({ checked: 2, differences: 1, lost: [account] });
});

test('rebuild: the objects restore a copy of which everything was deleted, once or twice', async () => {
  stubUnreliableStripe();
  await forget('');
  const { stub, paymentId } = await buyAndProject();
  await buyAndProject({ nonce: 'pm_card_visa_chargeDeclined' });
  await stub.refund(paymentId, minor(100), 'k');
  await vi.waitFor(
    async () => expect(await stub.compare()).toMatchObject({ pending: [] }),
    pollTimeout,
  );
  const before = await copy();
  expect(before.ledger).toHaveLength(2);
  for (let times = 0; times < 2; times += 1) {
    await forget('');
    await env.DB.prepare('DELETE FROM accounts').run();
    expect((await checkAll()).lost).toHaveLength(2);
    const { data } = await operate('/rebuild', { after: '', reason: 'D1 was lost' });
    expect(data).toMatchObject({ accounts: 2, next: null });
    await operate('/rebuild', { after: '', reason: 'again' });
    expect(await copy()).toEqual(before);
    expect(await checkAll()).toEqual({ checked: 2, differences: 0, lost: [] });
    expect(await env.DB.prepare('SELECT count(*) AS count FROM accounts').first('count')).toBe(2);
  }
  expect((await auditOf('copy')).map(({ action, reason }) => [action, reason])).toContainEqual([
    'rebuild',
    'D1 was lost',
  ]);
});
