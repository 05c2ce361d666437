import type { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { stripeEvents } from '../../../../worker/payments/gateways/stripe/webhook.ts';
import type { Reconciliation } from '../../../../worker/payments/ledger/reconciliation.ts';
import type { OwnedSubscription } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { deliverToQueue, recordingQueue } from '../../queue.ts';
import { bankPurchase, ibans } from '../bank-fixture.ts';
import {
  buy,
  buyer,
  captureLogEvents,
  hourMs,
  minuteMs,
  owner,
  remainingAmounts,
  runAlarm,
  stubStripe,
} from '../payments-fixture.ts';
import { postStripe, signed } from '../webhooks/webhook-fixture.ts';

const moved = ({ rows }: OwnedSubscription) => rows.map(({ kind, amount }) => [kind, amount]);

/** The owner of a monthly plan, and its payment. */
async function payer() {
  const account = await owner();
  const { id, charge } = account.attempt;
  return { ...account, id, payment: charge?.paymentId ?? paymentIdOf('') };
}

test('refund: happens once for a key, and never exceeds the remaining amount', async () => {
  const { fakes, stub, owned, payment } = await payer();
  const refunds = [
    ['a', minor(1000), { kind: 'refunded', amount: 1000, currency: 'USD', remaining: 2999 }],
    ['a', minor(1000), { kind: 'refunded', amount: 1000, currency: 'USD', remaining: 2999 }],
    ['b', minor(3000), { kind: 'refused', refusal: 'refund_too_large' }],
    ['c', minor(0), { kind: 'refused', refusal: 'refund_too_large' }],
    ['d', null, { kind: 'refunded', amount: 2999, currency: 'USD', remaining: 0 }],
  ] as const;
  for (const [key, amount, result] of refunds)
    expect(await stub.refund(payment, amount, key)).toEqual(result);
  expect(await stub.refund(paymentIdOf('pi_other'), minor(1), 'e')).toEqual({
    kind: 'refused',
    refusal: 'payment_unknown',
  });
  const [capture, ...rest] = moved(await owned());
  expect(capture).toEqual(['capture', 3999]);
  expect(rest.map(([, amount]) => amount).sort()).toEqual([1000, 2999]);
  expect(remainingAmounts(fakes.captured())).toEqual([0]);
});

test('refund: a repeated call after a lost reply is the same refund', async () => {
  const { fakes, stub, payment } = await payer();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const response = await working(input, init);
    if (fakes.captured()[0]?.refunded) throw new TypeError('connection lost');
    return response;
  });
  const lost = await stub.refund(payment, null, 'a');
  expect(lost).toEqual({ kind: 'refused', refusal: 'gateway_ambiguous' });
  expect(await stub.sync()).toBe(false);
  vi.stubGlobal('fetch', working);
  expect(await stub.refund(payment, null, 'a')).toMatchObject({ kind: 'refunded', amount: 3999 });
  expect(remainingAmounts(fakes.captured())).toEqual([0]);
});

/** Responds to refunds in place of the gateway, until `open`. */
function replaceRefundResponse(answer: () => Response) {
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { method, url } = new Request(input, init);
    const refund = method === 'POST' && new URL(url).pathname === '/v1/refunds';
    return refund ? answer() : working(input, init);
  });
  return { open: () => vi.stubGlobal('fetch', working) };
}

test('withdrawal: a statement read before the refund does not stop it', async () => {
  const { fakes, stub, id, owned, runAlarm, wait } = await payer();
  const line = replaceRefundResponse(() => new Response('', { status: 401 }));
  await stub.withdraw(id);
  await runAlarm();
  // The alarm has failed and will retry; then a webhook arrives, and everything is read again.
  await stub.sync();
  line.open();
  const { dueAt } = (await owned()).subscription;
  expect([(dueAt ?? 0) > Date.now(), (dueAt ?? 0) - Date.now() <= minuteMs]).toEqual([true, true]);
  wait(minuteMs);
  await runAlarm();
  expect(remainingAmounts(fakes.captured())).toEqual([0]);
  expect((await owned()).subscription).toMatchObject({ status: 'ended', ends: true });
});

test('withdrawal: a refused refund is retried after an hour', async () => {
  const logged = captureLogEvents();
  const { fakes, stub, id, owned, runAlarm, wait } = await payer();
  const error = { type: 'invalid_request_error', code: 'charge_disputed', message: 'no' };
  const line = replaceRefundResponse(() => Response.json({ error }, { status: 400 }));
  await stub.withdraw(id);
  await runAlarm();
  expect(logged()).toContain('withdrawal_refused');
  expect((await owned()).subscription.dueAt).toBe(Date.now() + hourMs);
  line.open();
  wait(hourMs);
  await runAlarm();
  expect(remainingAmounts(fakes.captured())).toEqual([0]);
});

test('refund: a refund that failed later is reversed and can be made again', async () => {
  const logged = captureLogEvents();
  const { fakes, stub, owned, payment } = await payer();
  await stub.refund(payment, minor(1000), 'a');
  const [refund = ''] = Object.keys(fakes.stripe.state.refunds);
  fakes.stripe.failRefund(refund);
  await stub.sync();
  await stub.sync();
  expect(moved(await owned())).toEqual([['capture', 3999]]);
  expect(logged().filter((event) => event === 'ledger_corrected')).toHaveLength(1);
  const { lines } = (await stub.compare()) as Reconciliation;
  expect(lines.map(({ ledger, provider }) => [ledger, provider])).toEqual([[3999, 3999]]);
  expect(await stub.refund(payment, null, 'b')).toMatchObject({ kind: 'refunded', amount: 3999 });
  expect((await owned()).subscription).toMatchObject({ status: 'ended', ends: false });
});

test('refund: of a bank debit that failed later is reversed by its webhook', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const events: Stripe.Event[] = [];
  const stripe = stubStripe({ onEvent: (event) => void events.push(event) });
  const { stub, purchase } = buyer(await bankPurchase(stripe, 'sepa_debit', ibans.pays));
  await buy(stub, purchase);
  stripe.passTime();
  await stub.sync();
  await runAlarm(stub);
  const kinds = async () => (await stub.ownedSubscriptions())[0]?.rows.map(({ kind }) => kind);
  await stub.refund(paymentIdOf(stripe.captures()[0]?.payment_intent ?? ''), minor(1000), 'a');
  expect(await kinds()).toEqual(['capture', 'refund']);
  events.splice(0);
  stripe.failRefund(Object.keys(stripe.state.refunds)[0] ?? '');
  const { sent, queue } = recordingQueue();
  for (const event of events.filter(({ type }) => stripeEvents.includes(type))) {
    const body = JSON.stringify(event);
    await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  }
  await deliverToQueue('funnel-webhooks', sent);
  expect(await kinds()).toEqual(['capture']);
});

test('withdrawal: a refund that failed later is made again', async () => {
  const { fakes, stub, id, owned, runAlarm, wait } = await payer();
  await stub.withdraw(id);
  await runAlarm();
  const { refunds } = fakes.stripe.state;
  fakes.stripe.failRefund(Object.keys(refunds)[0] ?? '');
  await stub.sync();
  expect(moved(await owned())).toEqual([['capture', 3999]]);
  wait(2 * minuteMs);
  await runAlarm();
  expect([remainingAmounts(fakes.captured()), Object.keys(refunds).length]).toEqual([[0], 2]);
});
