import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyOutcome,
  applyProgress,
  nextStep,
} from '../../../../worker/payments/purchase/attempt.ts';
import {
  canBeCancelled,
  canBeRerouted,
  isStuck,
  reroute,
  rerouteReason,
  resumeRerouted,
} from '../../../../worker/payments/purchase/failover.ts';
import { sendLimitMs } from '../../../../worker/payments/purchase/gateway-try.ts';
import type {
  Attempt,
  AttemptState,
  GatewayName,
  GatewayOutcome,
} from '../../../../worker/payments/purchase/state.ts';
import { attempt } from '../attempts/attempt-fixture.ts';

const down: GatewayOutcome = { kind: 'unavailable', reason: 'down' };
const cancelled: GatewayOutcome = { kind: 'rejected', reason: 'expired' };
const open = (change: Partial<Attempt> = {}): Attempt => ({
  ...attempt(),
  others: ['braintree'],
  ...change,
});
const states: AttemptState[] = [
  ...(['open', 'sent', 'challenged', 'returned', 'rerouted'] as const),
  ...(['active', 'declined', 'failed'] as const),
];

const anyAttempt = fc
  .record({
    state: fc.constantFrom(...states),
    gateway: fc.constantFrom<GatewayName>('stripe', 'braintree'),
    others: fc.constantFrom<GatewayName[]>([], ['stripe'], ['braintree']),
    nonce: fc.option(fc.string()),
    sentAt: fc.option(fc.nat(1000)),
    chargedAt: fc.option(fc.nat(1000)),
    tries: fc.nat(6),
  })
  .map((change) => ({ ...attempt(), ...change }));

test('failover: only an attempt that was certainly not charged and has a new card can change the gateway', () => {
  fc.assert(
    fc.property(anyAttempt, (one) => {
      if (!canBeRerouted(one)) return;
      expect(one).toMatchObject({ chargedAt: null, nonce: expect.any(String) });
      expect(['open', 'sent']).toContain(one.state);
    }),
  );
});

test('failover: an attempt with a new card and another gateway can change it until it is charged', () => {
  expect([canBeRerouted(open()), canBeRerouted(open({ state: 'sent' }))]).toEqual([true, true]);
  const changes = [{ others: [] }, { nonce: null }, { chargedAt: 1 }, { state: 'active' } as const];
  for (const change of changes) expect(canBeRerouted(open(change))).toBe(false);
});

test('failover: an unknown outcome, a challenge and a decline never change the gateway', () => {
  const outcomes: GatewayOutcome[] = [
    { kind: 'unknown' },
    { kind: 'unfinished' },
    { kind: 'none' },
    { kind: 'declined', declineCode: 'x', processorResponse: '' },
    { kind: 'rejected', reason: 'charge refused 91564' },
    { kind: 'challenge', paymentId: null, secret: '' },
  ];
  fc.assert(
    fc.property(
      anyAttempt,
      fc.constantFrom(...outcomes),
      fc.constantFrom('charge', 'lookUp', 'cancelUnpaid' as const),
      (one, outcome, step) => {
        expect(rerouteReason(one, { step, outcome }, 1)).toBeNull();
      },
    ),
  );
});

test('failover: another card is requested only after the second failure', () => {
  const reasons = [0, 1].map((tries) =>
    rerouteReason(open({ tries }), { step: 'charge', outcome: down }, 1),
  );
  expect(reasons).toEqual([null, 'down']);
});

test('failover: an attempt that was cancelled unpaid changes the gateway at once, but not after ten minutes', () => {
  const done = { step: 'cancelUnpaid', outcome: cancelled } as const;
  const sent = open({ state: 'sent', sentAt: 1, chargedAt: 1 });
  expect(rerouteReason(sent, done, 5)).toBe('cancelled unpaid');
  expect(rerouteReason(sent, done, sent.openedAt + sendLimitMs)).toBe('cancelled unpaid');
  expect(rerouteReason(sent, done, sent.openedAt + sendLimitMs + 1)).toBeNull();
  expect(rerouteReason(sent, { ...done, step: 'charge' }, 5)).toBeNull();
  expect(rerouteReason({ ...sent, others: [] }, done, 5)).toBeNull();
});

test('failover: a rerouted attempt waits for a card of the new gateway, until it is late', () => {
  const moved = reroute(open(), 'braintree');
  expect(moved).toMatchObject({ state: 'rerouted', gateway: 'braintree', nonce: null });
  const used = { ...open({ tries: 3, rounds: 1, challengedAt: 5 }) };
  expect(reroute(used, 'braintree')).toMatchObject({ tries: 0, rounds: 0, challengedAt: null });
  expect(nextStep(moved, 1000)).toBe('nothing');
  expect(nextStep(moved, moved.dueAt)).toBe('expire');
  const card = { gateway: 'braintree', nonce: 'n2', deviceData: 'd' } as const;
  const back = resumeRerouted(moved, card, 2000);
  expect(back).toMatchObject({ state: 'open', nonce: 'n2', deviceData: 'd', dueAt: 2000 });
  expect(nextStep(back, 2000)).toBe('charge');
  expect(resumeRerouted(moved, { ...card, gateway: 'stripe' }, 2000)).toBe(moved);
  expect(resumeRerouted(moved, { ...card, nonce: null }, 2000)).toBe(moved);
  expect(resumeRerouted(open(), card, 2000)).toEqual(open());
});

test('failover: the attempt keeps no data of the old gateway', () => {
  fc.assert(
    fc.property(anyAttempt, (one) => {
      const to = one.others[0];
      if (!to || to === one.gateway || !canBeRerouted(one)) return;
      const moved = reroute(one, to);
      expect(moved).toMatchObject({ id: one.id, amount: one.amount, pollingId: one.pollingId });
      expect(moved.version).toBeGreaterThan(one.version);
      for (const name of [
        'sentAt',
        'chargedAt',
        'subscriptionId',
        'invoiceId',
        'paymentId',
      ] as const) {
        expect(moved[name]).toBeNull();
      }
      // It can return only to a gateway where nothing was sent.
      expect(moved.others.includes(one.gateway)).toBe(one.sentAt === null);
      expect(moved.others).not.toContain(moved.gateway);
    }),
  );
});

test('failover: final attempts keep their gateway', () => {
  for (const state of ['active', 'declined', 'failed'] as const) {
    const over = open({ state });
    expect(reroute(over, 'braintree')).toBe(over);
  }
});

test('failover: a possibly charged attempt is cancelled at Stripe, and searched for at Braintree', () => {
  const charged = open({ state: 'sent', chargedAt: 1 });
  expect(canBeCancelled('charge', charged)).toBe(true);
  expect(canBeCancelled('lookUp', charged)).toBe(false);
  expect(canBeCancelled('charge', { ...charged, chargedAt: null })).toBe(false);
  expect(canBeCancelled('charge', { ...charged, nonce: null })).toBe(false);
  expect(canBeCancelled('charge', { ...charged, gateway: 'braintree' })).toBe(false);
  expect([4, 5].map((tries) => isStuck({ ...charged, tries }, 2))).toEqual([false, true]);
  // One call without a response counts as long as five failures.
  expect([8000, 8001].map((now) => isStuck(charged, now))).toEqual([false, true]);
  expect(isStuck({ ...charged, chargedAt: null }, 60_000)).toBe(false);
});

test('failover: a sale that Braintree did not execute may be sent again', () => {
  const one = open({ gateway: 'braintree', others: ['stripe'] });
  const sent = applyProgress(one, { sentAt: 5, chargedAt: 5 });
  const again = applyOutcome(sent, down, 10);
  expect(again).toMatchObject({ state: 'open', sentAt: null, chargedAt: null, tries: 1 });
  // At Stripe the attempt's objects remain, and are looked up.
  const stripe = applyOutcome(applyProgress(open(), { sentAt: 5 }), down, 10);
  expect(stripe).toMatchObject({ state: 'sent', sentAt: 5, tries: 1 });
});
