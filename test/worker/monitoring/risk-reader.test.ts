import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { readRisks } from '../../../worker/monitoring/risk-reader.ts';
import { consumeWebhooks } from '../../../worker/payments/webhooks/webhook-consumer.ts';
import { logger } from '../../../worker/platform/log.ts';
import { minor } from '../../../worker/platform/types.ts';
import { approved } from '../../fakes/test-nonces.ts';
import { dispute } from '../payments/attempts/provider-side.ts';
import { captureLogEvents, dayMs, gateways, stubGateways } from '../payments/payments-fixture.ts';
import { buyAndProject } from '../payments/webhooks/webhook-fixture.ts';

const start = Date.UTC(2026, 9, 5, 12);
const minute = () => Math.floor(Date.now() / 600_000) * 10;
const read = async () => (await readRisks(env, minute(), logger())) ?? [];

/** Each test has its own, because an alarm stays open after its test. */
let monitor: ReturnType<typeof env.MONITOR.getByName>;
beforeEach(() => {
  monitor = env.MONITOR.getByName(crypto.randomUUID());
});

/** The risk findings of one cron minute. No documents are stored here, which is an alarm as well. */
async function alarms() {
  const report = { minute: minute(), version: 'v', checks: [], splits: [], totals: null };
  await monitor.watch({ ...report, risks: await read() });
  return (await monitor.state()).incidents
    .filter(({ kind }) => kind === 'dispute_due' || kind === 'fraud_warning')
    .filter(({ openedAt, clearedAt }) => openedAt && !clearedAt)
    .map(({ kind, area }) => `${kind} ${area}`);
}

test('risks: open disputes of both gateways raise alarms from three days before their deadline until they are answered', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  const atStripe = await buyAndProject();
  const atBraintree = await buyAndProject({ gateway: 'braintree', nonce: approved.braintree });
  expect((await read()).map(({ disputes }) => disputes)).toEqual([[], []]);
  const id = fakes.stripe.dispute(atStripe.paymentId);
  fakes.braintree.dispute(atBraintree.paymentId);
  expect(await read()).toMatchObject([
    {
      gateway: 'stripe',
      disputes: [
        {
          id,
          paymentId: atStripe.paymentId,
          amount: 3999,
          currency: 'USD',
          dueAt: start + 9 * dayMs,
        },
      ],
      warnings: [],
    },
    {
      gateway: 'braintree',
      disputes: [{ paymentId: atBraintree.paymentId, amount: 3999, currency: 'USD' }],
      warnings: [],
    },
  ]);
  expect(await alarms()).toEqual([]);
  vi.setSystemTime(start + 8 * dayMs);
  expect((await alarms()).sort()).toEqual([
    'dispute_due dispute_due:braintree',
    'dispute_due dispute_due:stripe',
  ]);
  // Evidence was submitted at Stripe; the dispute was lost at Braintree.
  const headers = { authorization: 'Bearer sk_test_fake' };
  await fakes.stripe.fetch(`https://api.stripe.com/v1/disputes/${id}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ 'evidence[uncategorized_text]': 'winning_evidence' }),
  });
  fakes.braintree.lose(atBraintree.paymentId);
  expect((await read()).map(({ disputes }) => disputes)).toEqual([[], []]);
  const storedRisks = env.DB.prepare(
    'SELECT payment_id, state, opened_at, closed_at FROM disputes ORDER BY state',
  );
  const closed_at = start + 8 * dayMs;
  expect((await storedRisks.all()).results).toEqual([
    {
      payment_id: atBraintree.paymentId,
      state: 'lost',
      // Braintree reports the day only.
      opened_at: start - (start % dayMs),
      closed_at,
    },
    { payment_id: atStripe.paymentId, state: 'won', opened_at: start, closed_at },
  ]);
});

test.each(gateways)(
  'risks: %s: a lost dispute ends the access also if its webhook was lost, and is read once',
  async (gateway) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const fakes = stubGateways();
    const { stub, paymentId } = await buyAndProject({ gateway, nonce: approved[gateway] });
    const queued: unknown[] = [];
    const queue = { sendBatch: async (batch: { body: unknown }[]) => void queued.push(...batch) };
    const withQueue = { ...env, WEBHOOK_QUEUE: queue } as unknown as typeof env;
    const readAndConsume = async () => {
      await readRisks(withQueue, minute(), logger());
      const bodies = queued.splice(0).map((message) => (message as { body: unknown }).body);
      await consumeWebhooks(
        bodies.map((body) => ({ body, attempts: 1 })),
        env,
        logger(),
      );
      return bodies.length;
    };
    const active = async () => (await stub.entitlements()).active.length > 0;
    expect([await readAndConsume(), await active()]).toEqual([0, true]);
    await dispute(fakes, gateway, paymentId);
    expect([await readAndConsume(), await active()]).toEqual([1, false]);
    expect(await readAndConsume()).toBe(0);
  },
);

test('risks: a change that could not be queued is queued by the next read', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  await dispute(fakes, 'stripe', (await buyAndProject()).paymentId);
  const sendBatch = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue(undefined);
  const withQueue = { ...env, WEBHOOK_QUEUE: { sendBatch } } as unknown as typeof env;
  for (let reads = 0; reads < 3; reads += 1) await readRisks(withQueue, minute(), logger());
  expect(sendBatch).toHaveBeenCalledTimes(2);
});

test('risks: more than a thousand disputes and warnings of half a year are read', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  const atStripe = await buyAndProject();
  const atBraintree = await buyAndProject({ gateway: 'braintree', nonce: approved.braintree });
  fakes.stripe.dispute(atStripe.paymentId);
  fakes.stripe.warnOfFraud(atStripe.paymentId);
  fakes.braintree.dispute(atBraintree.paymentId);
  const copied = <One extends { id: string }>(table: Record<string, One>) => {
    const [one] = Object.values(table);
    if (!one) throw new Error('nothing to copy');
    for (let at = 0; at < 1100; at += 1) table[`copy${at}`] = { ...one, id: `copy${at}` };
  };
  copied(fakes.stripe.state.disputes);
  copied(fakes.stripe.state.early_fraud_warnings);
  copied(fakes.braintree.state.disputes);
  const [stripe, braintree] = await read();
  expect([stripe?.disputes.length, braintree?.disputes.length]).toEqual([1101, 1101]);
  const stored = await env.DB.prepare('SELECT count(*) AS n FROM disputes').first('n');
  expect(stored).toBeGreaterThanOrEqual(2202);
});

test('risks: an early fraud warning counts until the payment is refunded', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  const { paymentId, stub } = await buyAndProject();
  fakes.stripe.warnOfFraud(paymentId);
  expect(await read()).toMatchObject([{ warnings: [{ paymentId }] }, { warnings: [] }]);
  expect(await alarms()).toContain('fraud_warning fraud_warning:stripe');
  await stub.refund(paymentId, minor(3999), 'k');
  expect(await read()).toMatchObject([{ warnings: [] }, { warnings: [] }]);
});

test('risks: while a gateway does not respond its earlier risks stay', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  fakes.stripe.warnOfFraud((await buyAndProject()).paymentId);
  await alarms();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('down')));
  const logged = captureLogEvents();
  expect(await read()).toEqual([]);
  expect(logged().filter((event) => event === 'risk_read_failed')).toHaveLength(2);
  expect(await alarms()).toContain('fraud_warning fraud_warning:stripe');
  expect(await readRisks(env, minute() + 1, logger())).toBeNull();
});
