import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  type Change,
  type LedgerRow,
  writeProjection,
} from '../../../worker/payments/purchase-projection.ts';
import { minor } from '../../../worker/types.ts';
import { type AttemptChange, attempt as anAttempt, captured } from './attempt-fixture.ts';

const attempt = (change: AttemptChange): Change => ({
  kind: 'attempt',
  account: 'account',
  attempt: anAttempt({
    arm: 'intro/7d',
    state: 'sent',
    openedAt: 5,
    secret: 'pi_secret',
    ...change,
  }),
});

const money = (id: string, change: Partial<LedgerRow> = {}): Change => ({
  kind: 'movement',
  row: captured(id, change),
});

const purchase = (id: string) =>
  env.DB.prepare('SELECT * FROM attempts WHERE id = ?').bind(id).first();
const captures = async (id: string) =>
  (await env.DB.prepare('SELECT * FROM ledger WHERE attempt_id = ?').bind(id).all()).results;

test('an attempt is a row without anything that could pay', async () => {
  await writeProjection(env.DB, [attempt({ id: 'row' })]);
  const row = await purchase('row');
  expect(row).toMatchObject({
    account_id: 'account',
    slot: 'main',
    plan: 'monthly_usd',
    experiment: 'e1',
    arm: 'intro/7d',
    state: 'sent',
    subscription_id: null,
    opened_at: 5,
    version: 1,
  });
  expect(JSON.stringify(row)).not.toMatch(/pm_card|secret/);
});

test('changes in any order, any number of times, end as the newest', async () => {
  const charge = {
    subscriptionId: 'sub',
    paymentId: 'pi',
    gateway: 'stripe',
    experiment: 'prices',
    arm: 'intro/7d',
    customerId: 'cus',
    methodId: 'pm',
    amount: 3999,
    currency: 'USD' as const,
  };
  const changes = [
    attempt({ id: 'order', version: 3, state: 'active', charge }),
    attempt({ id: 'order', version: 1, state: 'open' }),
    attempt({ id: 'order', version: 2, state: 'sent' }),
  ];
  for (const change of changes) await writeProjection(env.DB, [change]);
  await writeProjection(env.DB, changes.toReversed());
  const newest = { state: 'active', version: 3, subscription_id: 'sub' };
  expect(await purchase('order')).toMatchObject(newest);
});

test('money is written once and never changed', async () => {
  await writeProjection(env.DB, [money('once'), money('once')]);
  await writeProjection(env.DB, [money('once', { amount: minor(1) })]);
  expect(await captures('once')).toMatchObject([
    { amount: 3999, currency: 'USD', experiment: 'e1', arm: 'intro/7d', occurred_at: 7 },
  ]);
});

test('a batch is written whole or not at all', async () => {
  const broken = money('whole', { currency: null as unknown as string });
  await expect(writeProjection(env.DB, [attempt({ id: 'whole' }), broken])).rejects.toThrow();
  expect(await purchase('whole')).toBeNull();
});
