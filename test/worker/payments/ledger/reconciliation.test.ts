import { env, runInDurableObject } from 'cloudflare:test';
import type { SyncKvStorage } from '@cloudflare/workers-types';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  claimDeadLetter,
  listDeadLetters,
} from '../../../../worker/operators/dead-letter-table.ts';
import { requeue } from '../../../../worker/operators/dead-letters.ts';
import type { Reconciliation } from '../../../../worker/payments/ledger/reconciliation.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { withPlanId } from '../../../../worker/payments/storage/stored-records.ts';
import { reportToMonitor } from '../../../../worker/platform/log-counts.ts';
import { minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import {
  buy,
  buyer,
  excludeFromAudit,
  forgetIntros,
  runAlarm,
  scaled,
  stubGateways,
  unrefunded,
} from '../payments-fixture.ts';
import { buyAndProject, stubUnreliableStripe } from '../webhooks/webhook-fixture.ts';

type Stub = Awaited<ReturnType<typeof buyAndProject>>['stub'];

const linesOf = async (stub: Stub) => {
  const { lines }: Reconciliation = await stub.compare();
  return lines.map(({ id, ledger, provider }) => [id.split(':')[0], ledger, provider]).sort();
};

test('reconciliation: an account without purchases has no lines', async () =>
  expect(await buyer().stub.compare()).toEqual({ lines: [], pending: [], unread: [] }));

test('reconciliation: both sides of captures and refunds', async () => {
  stubUnreliableStripe();
  const { stub, paymentId } = await buyAndProject();
  await stub.refund(paymentId, minor(100), 'k');
  expect(await linesOf(stub)).toEqual([
    ['capture', 3999, 3999],
    ['refund', 100, 100],
  ]);
});

test('reconciliation: comparing writes nothing', async () => {
  const { line } = stubUnreliableStripe();
  const { stub } = await buyAndProject();
  line.calls.length = 0;
  await linesOf(stub);
  expect(line.calls.length).toBeGreaterThan(0);
  expect(line.calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
});

test('reconciliation: a capture for a failed attempt is found', async () => {
  stubUnreliableStripe();
  const { stub, attempt } = await buyAndProject();
  await runInDurableObject(stub, (_object, state) => {
    const { kv } = (state as unknown as { storage: { kv: SyncKvStorage } }).storage;
    const storage = new PurchaseStorage(kv);
    const found = storage.attempt(attempt);
    if (!found) throw new Error(attempt);
    kv.put(`attempt:${attempt}`, { ...withPlanId(found), state: 'failed' });
    for (const [key] of kv.list({ prefix: 'ledger:' })) kv.delete(key);
  });
  excludeFromAudit(stub);
  expect(await linesOf(stub)).toEqual([['capture', null, 3999]]);
});

test('reconciliation: an unreadable attempt is listed, and the rest is compared', async () => {
  const { line } = stubUnreliableStripe();
  const { stub, purchase } = buyer();
  const plan = await buy(stub, purchase);
  const guide = await buy(stub, { ...purchase, plan: 'guide_1799_usd' });
  line.lose = (call) => call === 'GET /v1/invoices';
  const found: Reconciliation = await stub.compare();
  expect(found.unread).toEqual([plan.id]);
  expect(found.lines).toMatchObject([{ attempt: guide.id, ledger: 1799, provider: 1799 }]);
});

let logged: { level: string; event: string }[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  logged = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(
      (line) => void logged.push(JSON.parse(String(line))),
    );
  }
});

/** The monitor's findings about money that bought nothing. */
async function unsoldMoney(): Promise<string[]> {
  const monitor = env.MONITOR.getByName('monitor');
  const minute = Math.floor(Date.now() / 60_000) + 1;
  await reportToMonitor(env, true);
  await monitor.watch({ minute, version: 'v', checks: [], splits: [], totals: null });
  const { incidents } = await monitor.state();
  return incidents.flatMap(({ kind, detail }) => (kind === 'unsold_money' ? [detail] : []));
}

test('lost money: a capture that bought nothing is an error and a dead letter until it is replayed', async () => {
  const { stripe } = stubGateways();
  const { stub, purchase } = buyer();
  excludeFromAudit(stub);
  const challenged = await buy(stub, { ...purchase, nonce: 'pm_card_authenticationRequired' });
  const payment = challenged.paymentId ?? '';
  const intent = stripe.state.payment_intents[payment];
  if (intent) intent.amount = 100;
  stripe.challenge(payment, 'authenticated');
  expect((await buy(stub, { ...purchase, paymentId: paymentIdOf(payment) })).state).toBe('failed');
  await runAlarm(stub);
  const lost = { attempt: challenged.id, payment, amount: 100, currency: 'USD' };
  expect(logged.filter(({ event }) => event === 'captured_without_purchase')).toMatchObject([
    { level: 'error', ...lost, state: 'kept' },
  ]);
  expect(await unsoldMoney()).toEqual(['stripe: 1']);
  // Its subscription does not renew either.
  const [subscription] = Object.values(stripe.state.subscriptions);
  expect(subscription?.status).toBe('canceled');
  const listed = async () => {
    const letters = await listDeadLetters(env.DB, Number.MAX_SAFE_INTEGER, false);
    return letters.find(({ id }) => id === `purchases:${challenged.id}:${payment}`);
  };
  const letter = await listed();
  expect(letter?.reason).toBe('money kept');
  const body = { ...lost, account: purchase.account, gateway: 'stripe' };
  expect(JSON.parse(letter?.body ?? '{}')).toEqual(body);
  const claim = letter && (await claimDeadLetter(env.DB, letter.id, 'key', Date.now()));
  if (claim) await requeue(claim.letter, env);
  expect([claim?.claimed, await listed()]).toEqual([true, undefined]);
});

test('Braintree: a sale whose subscription fails is refunded whole', {
  timeout: 600_000,
}, async () => {
  const statuses = new Set<string>();
  for (let round = 0; round < scaled(100); round += 1) {
    let ahead = 0;
    await forgetIntros();
    const fakes = stubGateways({
      now: () => Date.now() + ahead,
      // A plan missing in the merchant's account: the subscription is refused for good.
      cycleOf: () => undefined,
      wrap: (next) => async (input, init) => {
        const request = new Request(input, init);
        // Every other time the money is settled first.
        if (request.url.endsWith('/subscriptions')) ahead += (round % 2) * 2 * 86_400_000;
        return next(request);
      },
    });
    const { stub, purchase } = buyer({
      gateway: 'braintree',
      nonce: approved.braintree,
      plan: 'monthly_7d_usd',
    });
    expect((await buy(stub, purchase)).state).toBe('failed');
    expect(fakes.captured()).toMatchObject([{ amount: 699, refunded: 699 }]);
    expect(unrefunded(fakes.captured())).toEqual([]);
    expect(await stub.ownedSubscriptions()).toEqual([]);
    // Captures and refunds are in the ledger, as stated by the gateway.
    expect(await linesOf(stub)).toEqual([
      ['capture', 699, 699],
      ['refund', 699, 699],
    ]);
    for (const { status } of Object.values(fakes.braintree.state.transactions))
      statuses.add(status);
  }
  expect([...statuses].sort()).toEqual(['SETTLED', 'VOIDED']);
  const returned = logged.filter(({ event }) => event === 'captured_without_purchase');
  expect(returned).toHaveLength(scaled(100));
  // A refunded payment needs no operator.
  expect((await unsoldMoney()).filter((detail) => detail.includes('braintree'))).toEqual([]);
});
