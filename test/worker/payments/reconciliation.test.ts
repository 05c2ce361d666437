import { runInDurableObject } from 'cloudflare:test';
import type { SyncKvStorage } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import type { Reconciliation } from '../../../worker/payments/reconciliation.ts';
import { minor } from '../../../worker/types.ts';
import { buy, buyer, known, offBooks, open, quietly } from './payments-fixture.ts';
import { buyOne, openLine } from './webhook-fixture.ts';

quietly();

type Stub = Awaited<ReturnType<typeof buyOne>>['stub'];

const linesOf = async (stub: Stub) => {
  const { lines }: Reconciliation = await stub.compare();
  return lines.map(({ id, ledger, provider }) => [id.split(':')[0], ledger, provider]).sort();
};

test('reconciliation: an account without purchases has no lines', async () => {
  expect(await buyer().stub.compare()).toEqual({ lines: [], pending: [], unread: [] });
});

test('reconciliation: both sides of captures and refunds', async () => {
  openLine();
  const { stub, paymentId } = await buyOne();
  await stub.refund(paymentId, minor(100), 'k');
  expect(await linesOf(stub)).toEqual([
    ['capture', 3999, 3999],
    ['refund', 100, 100],
  ]);
});

test('reconciliation: comparing writes nothing', async () => {
  const { line } = openLine();
  const { stub } = await buyOne();
  line.calls.length = 0;
  await linesOf(stub);
  expect(line.calls.length).toBeGreaterThan(0);
  expect(line.calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
});

test('reconciliation: a capture for a failed attempt is found', async () => {
  openLine();
  const { stub, attempt } = await buyOne();
  await runInDurableObject(stub, (_object, state) => {
    const { kv } = (state as unknown as { storage: { kv: SyncKvStorage } }).storage;
    const ledger = new PurchaseStorage(kv);
    const found = ledger.attempt(attempt);
    if (!found) throw new Error(attempt);
    kv.put(`attempt:${attempt}`, { ...found, state: 'failed' });
    for (const [key] of kv.list({ prefix: 'ledger:' })) kv.delete(key);
  });
  offBooks(stub);
  expect(await linesOf(stub)).toEqual([['capture', null, 3999]]);
});

test('reconciliation: a capture of another amount is found', async () => {
  const { bank } = openLine();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const asked = await buy(stub, purchase);
  const intent = bank.state.payment_intents[asked.paymentId ?? ''];
  bank.challenge(asked.paymentId ?? '', 'authenticated');
  if (intent) intent.amount = 100;
  await open(stub, { ...purchase, paymentId: asked.paymentId });
  expect((await known(stub, asked.pollingId)).state).toBe('failed');
  offBooks(stub);
  expect(await linesOf(stub)).toEqual([['capture', null, 3999]]);
});

test('reconciliation: a declined attempt has no capture', async () => {
  openLine();
  const { stub } = await buyOne({ nonce: 'pm_card_visa_chargeDeclined' });
  expect(await linesOf(stub)).toEqual([]);
});

test('reconciliation: without an answer the attempt is unread', async () => {
  const { line } = openLine();
  const { stub, attempt } = await buyOne();
  line.dead = true;
  expect(await stub.compare()).toMatchObject({ lines: [], unread: [attempt] });
});

test('reconciliation: an unreadable attempt is listed, and the rest is compared', async () => {
  const { line } = openLine();
  const { stub, purchase } = buyer();
  const plan = await buy(stub, purchase);
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_usd' });
  line.lose = (call) => call === 'GET /v1/invoices';
  const told: Reconciliation = await stub.compare();
  expect(told.unread).toEqual([plan.id]);
  expect(told.lines).toMatchObject([{ attempt: guide.id, ledger: 1799, provider: 1799 }]);
});
