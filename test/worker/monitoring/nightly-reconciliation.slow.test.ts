import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { reconcileNightly } from '../../../worker/monitoring/nightly-reconciliation.ts';
import type { NightlyResult } from '../../../worker/monitoring/rules/nightly-result.ts';
import type { GatewayName } from '../../../worker/payments/purchase/state.ts';
import { logger } from '../../../worker/platform/log.ts';
import { approved } from '../../fakes/test-nonces.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { intercepted } from '../faults/flaky-fetch.ts';
import {
  captureLogEvents,
  excludeFromAudit,
  runAlarm,
  stubGateways,
} from '../payments/payments-fixture.ts';
import { buyAndProject } from '../payments/webhooks/webhook-fixture.ts';
import { recordingQueue } from '../queue.ts';

const dayMs = 24 * 60 * 60_000;
const noon = Date.UTC(2026, 8, 3, 12);

let fakes: ReturnType<typeof stubGateways>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  fakes = stubGateways();
  await env.DB.batch([
    env.DB.prepare('DELETE FROM provider_fees'),
    env.DB.prepare('DELETE FROM ledger'),
    env.DB.prepare('DELETE FROM attempts'),
    env.DB.prepare('DELETE FROM webhook_events'),
  ]);
  await env.MONITOR.getByName('monitor').saveNightly([]);
});

/** The night after some days: minute by minute, until both gateways are compared. */
async function night(days = 1, more = {}, mayFail = false): Promise<NightlyResult[]> {
  vi.setSystemTime(Date.UTC(2026, 8, 3 + days, 3, 5));
  for (let minute = 0; minute < 30; minute += 1) {
    vi.setSystemTime(Date.now() + 60_000);
    await reconcileNightly({ ...env, ...more }, Date.now(), logger()).catch((error) => {
      if (!mayFail) throw error;
    });
    const { nightly } = await env.MONITOR.getByName('monitor').state();
    if (nightly.length === 2 && nightly.every(({ finishedAt }) => finishedAt)) return nightly;
  }
  throw new Error('not finished');
}

const found = (results: readonly NightlyResult[]) =>
  results.flatMap(({ differences }) => differences);

const copied = async (id: string) =>
  (await env.DB.prepare('SELECT COUNT(*) AS n FROM ledger WHERE payment_id = ?')
    .bind(id)
    .first('n')) ?? 0;

async function buyPlan(gateway: GatewayName = 'stripe') {
  const one = await buyAndProject({ gateway, nonce: approved[gateway] });
  await vi.waitFor(async () => expect(await copied(one.paymentId)).toBe(1), pollTimeout);
  return one;
}

test('nightly reconciliation: equal money on both sides is no difference', async () => {
  await buyPlan();
  await buyPlan('braintree');
  const [stripe] = await night();
  expect(stripe).toMatchObject({ gateway: 'stripe', day: '2026-09-03', compared: 2 });
  const fees = await env.DB.prepare('SELECT * FROM provider_fees').all();
  // 2.9 % of 39.99 and 30 cents; Braintree reports none.
  const fee = { day: '2026-09-03', gateway: 'stripe', currency: 'USD', amount: 146 };
  expect(fees.results).toEqual([fee]);
  // Braintree settles a day later.
  const results = await night(2);
  expect(found(results)).toEqual([]);
  expect(results.find(({ gateway }) => gateway === 'braintree')?.compared).toBe(1);
});

test.each(['stripe', 'braintree'] as const)(
  'nightly reconciliation: %s: a renewal without a webhook is read from the gateway, and is then no difference',
  async (gateway) => {
    const { stub } = await buyPlan(gateway);
    vi.setSystemTime(noon + 32 * dayMs);
    fakes.stripe.passTime();
    await fakes.braintree.passTime();
    expect((await stub.ownedSubscriptions())[0]?.rows).toHaveLength(1);
    for (const after of [31, 32, 33]) expect(found(await night(after))).toEqual([]);
    const after = await stub.ownedSubscriptions();
    expect(after[0]?.rows.filter(({ kind }) => kind === 'capture')).toHaveLength(2);
  },
);

/** A payment made at Stripe without us. */
async function paidAtStripe(amount: number, metadata: Record<string, string> = {}): Promise<void> {
  const params = new URLSearchParams({
    amount: String(amount),
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: 'true',
    'automatic_payment_methods[enabled]': 'true',
    'automatic_payment_methods[allow_redirects]': 'never',
  });
  for (const [name, value] of Object.entries(metadata)) params.set(`metadata[${name}]`, value);
  const init = { method: 'POST', headers: { authorization: 'Bearer sk_test_fake' }, body: params };
  const response = await fakes.stripe.fetch('https://api.stripe.com/v1/payment_intents', init);
  expect(response.status).toBe(200);
}

test('nightly reconciliation: a capture for a failed attempt is a difference with its amount', async () => {
  const { account, attempt, stub } = await buyAndProject({ nonce: 'pm_card_visa_chargeDeclined' });
  excludeFromAudit(stub);
  await paidAtStripe(3999, { attempt_id: attempt, account });
  const logged = captureLogEvents();
  expect(found(await night())).toMatchObject([
    { kind: 'captured_unsold', attempt, provider: 3999, ledger: null, currency: 'USD' },
  ]);
  expect(logged()).toContain('reconciliation_differs');
  fakes.stripe.state.payment_intents = {};
});

test('nightly reconciliation: a payment without an account of ours is unknown, with its amount', async () => {
  await paidAtStripe(1234);
  expect(found(await night())).toMatchObject([
    { kind: 'unknown_payment', provider: 1234, ledger: null, attempt: null, currency: 'USD' },
  ]);
  fakes.stripe.state.payment_intents = {};
});

test.each(['stripe', 'braintree'] as const)(
  'nightly reconciliation: %s: a sale without a capture is a difference',
  async (gateway) => {
    const { stub, paymentId } = await buyPlan(gateway);
    excludeFromAudit(stub);
    const { stripe, braintree } = fakes;
    for (const [id, charge] of Object.entries(stripe.state.charges)) {
      if (charge.payment_intent === paymentId) delete stripe.state.charges[id];
    }
    const sale = braintree.state.transactions[paymentId];
    if (sale) sale.status = 'SETTLEMENT_DECLINED';
    // The account's own sync corrects it before anybody is notified.
    expect(found(await night())).toEqual([]);
    await runAlarm(stub);
    const [owned] = await stub.ownedSubscriptions();
    expect(owned?.rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    // The gateway's own records were changed by hand.
    if (gateway === 'stripe') stripe.state.payment_intents = {};
  },
);

test('nightly reconciliation: Stripe: a sale beside a thousand declined charges is found', async () => {
  await buyPlan();
  const { charges } = fakes.stripe.state;
  const [paid] = Object.values(charges);
  if (!paid) throw new Error('no charge');
  const declined = { ...paid, payment_intent: 'pi_other', captured: false, paid: false };
  for (let at = 0; at < 1100; at += 1)
    charges[`ch_${at}`] = { ...declined, id: `ch_${at}`, status: 'failed' };
  expect(found(await night())).toEqual([]);
});

test('nightly reconciliation: events without a webhook are fetched, each once', async () => {
  await buyPlan();
  const missed = Object.values(fakes.stripe.state.events).filter(
    ({ type }) => type === 'invoice.paid',
  );
  for (const event of missed) event.pending_webhooks = 1;
  const { sent, queue } = recordingQueue();
  const [stripe] = await night(1, { WEBHOOK_QUEUE: queue });
  expect([stripe?.fetchedEvents, sent.length]).toEqual([missed.length, missed.length]);
  expect(sent).toMatchObject([{ gateway: 'stripe', type: 'invoice.paid' }]);
});

/** D1's limit for one invocation of a paid Worker. https://developers.cloudflare.com/d1/platform/limits/ */
const maxQueries = 1000;

test('nightly reconciliation: a minute with a thousand missed events stays below D1’s limit of queries', async () => {
  await buyPlan();
  const { events } = fakes.stripe.state;
  const [paid] = Object.values(events).filter(({ type }) => type === 'invoice.paid');
  if (!paid) throw new Error('no event');
  for (let at = 0; at < 1000; at += 1)
    events[`evt_${at}`] = { ...paid, id: `evt_${at}`, pending_webhooks: 1 } as typeof paid;
  const { sent, queue } = recordingQueue();
  let queries = 0;
  const { DB: bare } = env;
  const DB = {
    prepare(sql: string) {
      queries += 1;
      return bare.prepare(sql);
    },
    batch: (statements: never[]) => bare.batch(statements),
  };
  vi.setSystemTime(Date.UTC(2026, 8, 4, 3, 5));
  await reconcileNightly({ ...env, DB, WEBHOOK_QUEUE: queue } as never, Date.now(), logger());
  expect(sent).toHaveLength(1000);
  expect(queries).toBeLessThan(maxQueries);
});

test('nightly reconciliation: a failed payout is a difference, and one of the full amount is not', async () => {
  await buyPlan();
  expect(found(await night(3))).toEqual([]);
  const id = `po_usd${Math.floor(noon / dayMs)}`;
  fakes.stripe.state.payouts[id] = { status: 'failed' };
  await env.MONITOR.getByName('monitor').saveNightly([]);
  expect(found(await night(4))).toMatchObject([{ kind: 'payout_differs', id, provider: 3853 }]);
});

test('nightly reconciliation: waits while a provider is down, and then continues where it stopped', async () => {
  await buyPlan();
  const up = globalThis.fetch;
  let isDown = true;
  vi.stubGlobal('fetch', (input: Request, init?: RequestInit) =>
    isDown ? Promise.resolve(Response.json({}, { status: 401 })) : up(input, init),
  );
  vi.setSystemTime(Date.UTC(2026, 8, 4, 3, 5));
  await expect(reconcileNightly(env, Date.now(), logger())).rejects.toThrow();
  expect((await env.MONITOR.getByName('monitor').state()).nightly).toMatchObject([
    { gateway: 'stripe', finishedAt: null },
    { gateway: 'braintree', finishedAt: null },
  ]);
  isDown = false;
  expect(found(await night())).toEqual([]);
});

const figures = (results: readonly NightlyResult[]) =>
  results.map(({ startedAt, finishedAt, ...figure }) => figure);

test.each([true, false])(
  'nightly reconciliation: a call of a gateway, of D1 or of the queue fails, executed: %s: the figures are those of a night without failures',
  async (isExecuted) => {
    await buyPlan();
    await buyPlan('braintree');
    const paid = Object.values(fakes.stripe.state.events).filter(
      ({ type }) => type === 'invoice.paid',
    );
    for (const event of paid) event.pending_webhooks = 1;
    const up = globalThis.fetch;
    /** A night in which this call fails. @returns its figures and its number of calls */
    const disturbed = async (failing: number) => {
      await env.MONITOR.getByName('monitor').saveNightly([]);
      await env.DB.batch([
        env.DB.prepare('DELETE FROM webhook_events'),
        env.DB.prepare('DELETE FROM provider_fees'),
      ]);
      let calls = 0;
      const failsAt = (failure: () => unknown) => async (call: () => unknown) => {
        calls += 1;
        if (calls !== failing) return call();
        if (isExecuted) await call();
        return failure();
      };
      const lost = failsAt(() => Promise.reject(new Error('no answer')));
      // Stripe's client retries no such response.
      const refused = failsAt(() => Response.json({}, { status: 401 }));
      vi.stubGlobal('fetch', (...request: Parameters<typeof up>) => refused(() => up(...request)));
      const more = {
        DB: intercepted(env.DB, lost),
        WEBHOOK_QUEUE: intercepted(recordingQueue().queue, lost),
      };
      const results = figures(await night(1, more, true));
      vi.stubGlobal('fetch', up);
      const fees = await env.DB.prepare('SELECT * FROM provider_fees').all();
      return { calls, figures: [...results, ...fees.results] };
    };
    const undisturbed = await disturbed(0);
    expect(undisturbed.figures).toMatchObject([
      { gateway: 'stripe', compared: 2, fetchedEvents: 1 },
      { gateway: 'braintree' },
      { amount: 146 },
    ]);
    for (let failing = 1; failing <= undisturbed.calls; failing += 1)
      expect([failing, (await disturbed(failing)).figures]).toEqual([failing, undisturbed.figures]);
  },
);
