import { expect, test } from 'vitest';
import type { Subscription } from '../../../../../worker/payments/purchase/state.ts';
import { requestCancellation } from '../../../../../worker/payments/purchase/subscription.ts';
import {
  shownDecline,
  shownResponse,
  subscriptionView,
} from '../../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import {
  resume,
  startSubscription,
  withdraw,
} from '../../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import {
  type EpochMs,
  epochMs,
  type Minor,
  minor,
  type PaymentId,
  paymentIdOf,
} from '../../../../../worker/platform/types.ts';
import {
  charge as aCharge,
  attempt,
  germanTerms,
  planNamed,
} from '../../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const boughtAt = Date.UTC(2026, 10, 24);
const onDay = (days: number) => boughtAt + days * day;
const soon = boughtAt + 1;

const charge = { ...aCharge, amount: minor(699), currency: 'EUR' } as const;

const terms = germanTerms({ timeZone: 'UTC', at: boughtAt });

const { subscription } = startSubscription(
  attempt({ plan: 'monthly_7d_eur', state: 'active', charge, terms, openedAt: boughtAt }),
  boughtAt,
);

const capture = {
  kind: 'capture',
  paymentId: paymentIdOf('pi_1'),
  amount: minor(699),
  at: epochMs(boughtAt),
} as const;

const view = (
  now: number,
  change: Partial<Subscription> = {},
  rows: { kind: 'capture' | 'refund'; paymentId: PaymentId; amount: Minor; at: EpochMs }[] = [
    capture,
  ],
) =>
  subscriptionView(
    {
      subscription: { ...subscription, ...change },
      rows,
      coupon: null,
      terms,
    },
    now,
  );

test('purchase view: a running intro shows the next charge and the refund', () => {
  expect(view(soon)).toEqual({
    attempt: 'a',
    slot: 'main',
    period: 'month',
    introDays: 7,
    currency: 'EUR',
    state: 'active',
    isProvisional: false,
    waitsForMoney: false,
    until: onDay(7),
    todo: null,
    paidUntil: onDay(7),
    price: 3999,
    coupon: null,
    later: null,
    next: { amount: 3999, at: onDay(7) },
    boughtAt,
    withdraw: { last: onDay(14), back: 699 },
    earlyEnd: null,
    guarantee: 699,
    resumes: false,
    pausesUntil: null,
    nextPlan: null,
    changes: { upgrade: [], switch: [], pauses: [], resume: false, continue: false },
    pendingChange: null,
    challenge: null,
  });
});

const late = { status: 'past_due' } as const;
const cancelled = requestCancellation(subscription, soon);
const allEnded = { status: 'ended', ends: true, cancelRequestedAt: soon } as const;

test.each<[what: string, age: number, change: Partial<Subscription>, shown: object]>([
  ['cancelled', 2, cancelled, { state: 'ending', next: null, resumes: true }],
  [
    'cancelled at Braintree, for good',
    2,
    { ...cancelled, gateway: 'braintree' },
    { state: 'ending', resumes: true },
  ],
  ['resumed', 3, resume(subscription, soon), { state: 'active', next: { amount: 3999 } }],
  ['ending', 1, { ends: true }, { state: 'ending', next: null }],
  ['ended', 1, { status: 'ended' }, { state: 'ended', next: null, until: null }],
  ['cancelled and ended', 1, allEnded, { state: 'ended', next: null }],
  [
    'withdrawn',
    1,
    withdraw(subscription, soon),
    { state: 'withdrawn', withdraw: null, until: null },
  ],
  ['withdrawn and ended', 1, { ...allEnded, withdrawnAt: soon }, { state: 'withdrawn' }],
  // A late renewal may be charged on any day, but is never due in the past.
  [
    'late',
    9 * day,
    late,
    {
      state: 'past_due',
      paidUntil: onDay(7),
      until: onDay(14),
      todo: 'update_card',
      later: null,
      next: { amount: 3999, at: onDay(9) },
    },
  ],
  ['late too early', 6 * day, late, { next: { amount: 3999, at: onDay(7) } }],
  [
    'late and cancelled',
    9 * day,
    requestCancellation({ ...subscription, ...late }, onDay(9)),
    { state: 'ending', next: null },
  ],
  ['late and cancelled at once', 1, { ...late, cancelRequestedAt: boughtAt }, { state: 'ending' }],
  ['late and ending', 1, { ...late, ends: true }, { state: 'ending' }],
  ['over its time', 9 * day, {}, { state: 'active', next: { amount: 3999, at: onDay(7) } }],
  ['without a known renewal', 1, { paidUntil: null }, { state: 'active', next: null }],
  ['late without a known renewal', 1, { ...late, paidUntil: null }, { next: null, until: null }],
])('purchase view: a subscription that is %s', (_, age, change, shown) => {
  expect(view(boughtAt + age, change)).toMatchObject(shown);
});

test('purchase view: the plan’s coupon lowers its renewals', () => {
  const plan = planNamed('upsell_monthly_999_eur');
  const facts = { subscription: { ...subscription, slot: plan.slot, plan }, rows: [], terms: null };
  expect(subscriptionView({ ...facts, coupon: 'UPSELL30' }, soon)).toMatchObject({
    price: 699,
    next: { amount: 699 },
    coupon: { full: 999, percent: 30 },
  });
  expect(subscriptionView({ ...facts, coupon: null }, soon)).toMatchObject({
    price: 999,
    next: { amount: 999 },
    coupon: null,
  });
});

test('purchase view: a planned change shows the other plan and its price from then on', () => {
  const nextPlan = planNamed('quarterly_eur');
  expect(view(soon, { nextPlan, subscriptionId: 'sub_1' })).toMatchObject({
    nextPlan: { id: nextPlan.id, period: 'quarter', price: 5999 },
    price: 3999,
    next: { amount: 5999, at: onDay(7) },
  });
});

test('purchase view: the bank’s challenge of a change is shown with its amount', () => {
  const facts = { subscription, rows: [capture], coupon: null, terms };
  const change = { id: 'c1', kind: 'upgrade', amount: minor(2500), state: 'challenged' };
  const shown = (more: object) =>
    subscriptionView({ ...facts, pendingChange: { ...change, ...more } as never }, soon);
  const challenge = { intentId: null, secret: 's' };
  expect(shown({ challenge })).toMatchObject({
    pendingChange: 'upgrade',
    challenge: { change: 'c1', gateway: 'stripe', amount: 2500, secret: 's' },
  });
  expect(shown({ challenge: null }).challenge).toBeNull();
  expect(shown({ challenge, state: 'sent' }).challenge).toBeNull();
});

test('purchase view: a single payment has no next charge and no cancellation', () => {
  const plan = planNamed('guide_1799_eur');
  const facts = { rows: [capture], coupon: null, terms };
  const bought = { ...subscription, slot: plan.slot, plan };
  for (const paidUntil of [null, epochMs(onDay(7))]) {
    expect(
      subscriptionView({ ...facts, subscription: { ...bought, paidUntil } }, soon),
    ).toMatchObject({ slot: 'guide', period: 'once', state: 'active', paidUntil, next: null });
  }
});

test('purchase view: a pause ends one, two or three months after the paid period', () => {
  const paidUntil = epochMs(Date.UTC(2027, 0, 31));
  const renewal = { ...capture, paymentId: paymentIdOf('pi_2') };
  const { changes } = view(soon, { paidUntil, subscriptionId: 'sub_1' }, [capture, renewal]);
  expect(changes.pauses).toEqual([
    Date.UTC(2027, 1, 28),
    Date.UTC(2027, 2, 31),
    Date.UTC(2027, 3, 30),
  ]);
});

test('purchase view: a withdrawal is offered until its last day, for the remaining amount', () => {
  expect(view(onDay(15) - 1).withdraw).toEqual({ last: onDay(14), back: 699 });
  expect(view(onDay(15)).withdraw).toBeNull();
  const back = (amount: number) =>
    view(soon, {}, [
      capture,
      { ...capture, kind: 'refund', amount: minor(amount), at: epochMs(soon) },
    ]).withdraw?.back;
  expect([back(500), back(698), back(699)]).toEqual([199, 1, undefined]);
  expect(view(soon, {}, []).withdraw).toBeNull();
  expect(view(soon, { withdrawnAt: soon }).withdraw).toBeNull();
  const charged = { subscription, rows: [capture], coupon: null, terms, amount: minor(5) };
  const backOf = (isProvisional: boolean) =>
    subscriptionView({ ...charged, subscription: { ...subscription, isProvisional } }, soon)
      .withdraw?.back;
  // A first debit is not in the ledger yet.
  expect([backOf(false), backOf(true)]).toEqual([699, 5]);
  const facts = { subscription, rows: [capture], coupon: null, terms: null };
  expect(subscriptionView(facts, soon)).toMatchObject({ withdraw: null });
});

test.each([
  'fraudulent',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'merchant_blacklist',
])('decline codes: %s is shown as a generic decline', (code) => {
  expect(shownDecline(code)).toBe('generic_decline');
  expect(shownResponse(code, 'Your card was reported stolen.')).toBe('');
});

test('decline codes: a generic decline has no text, so that fraud does not stand out', () =>
  expect(shownResponse('generic_decline', 'Do Not Honor')).toBe(''));

test('decline codes: other codes are shown with their text', () => {
  expect(shownDecline('insufficient_funds')).toBe('insufficient_funds');
  expect(shownResponse('insufficient_funds', 'Not enough.')).toBe('Not enough.');
  expect(shownResponse('insufficient_funds', null)).toBe('');
  expect(shownDecline('')).toBe('generic_decline');
  expect([shownDecline(null), shownResponse(null, 'x')]).toEqual(['generic_decline', '']);
});
