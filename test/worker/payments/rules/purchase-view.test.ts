import { expect, test } from 'vitest';
import { planById } from '../../../../worker/catalog/plans.ts';
import type { Terms } from '../../../../worker/payments/rules/new-attempt.ts';
import {
  shownDecline,
  shownResponse,
  subscriptionView,
} from '../../../../worker/payments/rules/purchase-view.ts';
import {
  requestCancellation,
  resume,
  type Subscription,
  startSubscription,
  withdraw,
} from '../../../../worker/payments/rules/subscription.ts';
import { epochMs, type Minor, minor } from '../../../../worker/types.ts';
import { attempt } from '../attempt-fixture.ts';

const day = 24 * 60 * 60_000;

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 699,
  currency: 'EUR',
} as const;

const terms: Terms = {
  text: '',
  version: null,
  language: 'en',
  market: 'euro',
  timeZone: 'UTC',
  at: 0,
};

const { subscription } = startSubscription(
  attempt({ plan: 'monthly_7d_eur', state: 'active', charge, terms }),
  0,
);

const plan = planById('monthly_7d_eur');

if (!plan) throw new Error('plan');

const capture = { kind: 'capture', amount: minor(699), at: 0 } as const;

const view = (
  now: number,
  change: Partial<Subscription> = {},
  rows: { kind: 'capture' | 'refund'; amount: Minor; at: number }[] = [capture],
) =>
  subscriptionView(
    {
      subscription: { ...subscription, ...change },
      plan,
      rows,
      coupon: null,
      terms,
    },
    now,
  );

test('purchase view: a running intro shows the next charge and the refund', () => {
  expect(view(1)).toEqual({
    attempt: 'a',
    slot: 'main',
    period: 'month',
    trialDays: 7,
    currency: 'EUR',
    state: 'active',
    paidUntil: 7 * day,
    usableUntil: null,
    price: 3999,
    coupon: null,
    next: { amount: 3999, at: 7 * day },
    payments: [capture],
    withdraw: { last: 14 * day, back: 699 },
    guarantee: 699,
    undoes: true,
    resumes: false,
  });
});

test('purchase view: resuming is offered where the gateway supports it', () => {
  const ending = { ...requestCancellation(subscription, 1) };
  expect(view(2, ending)).toMatchObject({ state: 'ends', undoes: true, resumes: true });
  const final = { ...ending, gateway: 'braintree' as const };
  expect(view(2, final)).toMatchObject({ state: 'ends', undoes: false, resumes: false });
  expect(view(3, resume(subscription, 2))).toMatchObject({
    state: 'active',
    next: { amount: 3999 },
  });
});

test('purchase view: a cancelled subscription has no next charge', () => {
  expect(view(1, requestCancellation(subscription, 1))).toMatchObject({
    state: 'ends',
    next: null,
  });
  expect(view(1, { ends: true })).toMatchObject({ state: 'ends', next: null });
  expect(view(1, { status: 'ended' })).toMatchObject({ state: 'ended', next: null });
  expect(view(1, withdraw(subscription, 1))).toMatchObject({ state: 'withdrawn', withdraw: null });
});

test('purchase view: a late renewal may be charged any day and can be cancelled', () => {
  const late = { status: 'past_due' } as const;
  expect(view(9 * day, late)).toMatchObject({
    state: 'past_due',
    next: { amount: 3999, at: 9 * day },
  });
  expect(view(9 * day, requestCancellation({ ...subscription, ...late }, 9 * day)).next).toBeNull();
});

test('purchase view: no refund is offered twice or after the period', () => {
  const refund = { kind: 'refund', amount: minor(500), at: 1 } as const;
  expect(view(1, {}, [capture, refund]).withdraw).toMatchObject({ back: 199 });
  expect(view(1, {}, [capture, { ...refund, amount: minor(699) }]).withdraw).toBeNull();
  expect(view(20 * day).withdraw).toBeNull();
});

test('purchase view: the plan’s coupon lowers its renewals', () => {
  const row = planById('upsell_monthly_999_eur');
  if (!row) throw new Error('plan');
  const upsell = { ...subscription, slot: row.slot, plan: row.id };
  const facts = { subscription: upsell, plan: row, rows: [], terms: null };
  expect(subscriptionView({ ...facts, coupon: 'UPSELL30' }, 1)).toMatchObject({
    price: 699,
    next: { amount: 699 },
    coupon: { full: 999, percent: 30 },
  });
  expect(subscriptionView({ ...facts, coupon: null }, 1)).toMatchObject({
    price: 999,
    next: { amount: 999 },
    coupon: null,
  });
});

test('purchase view: a single payment has no next charge and no cancellation', () => {
  const guide = planById('guide_1799_eur');
  if (!guide) throw new Error('plan');
  const facts = { plan: guide, rows: [capture], coupon: null, terms };
  const bought = { ...subscription, slot: guide.slot, plan: guide.id };
  for (const paidUntil of [null, epochMs(7 * day)]) {
    expect(subscriptionView({ ...facts, subscription: { ...bought, paidUntil } }, 1)).toMatchObject(
      { slot: 'guide', period: 'once', state: 'active', paidUntil, next: null, undoes: false },
    );
  }
});

test('purchase view: a subscription without a known renewal has no next charge', () => {
  expect(view(1, { paidUntil: null })).toMatchObject({ state: 'active', next: null });
  expect(view(1, { paidUntil: null, status: 'past_due' })).toMatchObject({
    next: null,
    usableUntil: Number.POSITIVE_INFINITY,
  });
});

test('purchase view: an active renewal is due at its time, a late one not in the past', () => {
  expect(view(9 * day).next).toEqual({ amount: 3999, at: 7 * day });
  const late = { status: 'past_due' } as const;
  expect(view(6 * day, late).next).toEqual({ amount: 3999, at: 7 * day });
});

test.each<[Partial<Subscription>, string]>([
  [{ withdrawnAt: 1, status: 'ended', ends: true, cancelAskedAt: 1 }, 'withdrawn'],
  [{ status: 'ended', ends: true, cancelAskedAt: 1 }, 'ended'],
  [{ status: 'past_due', ends: true }, 'ends'],
  [{ status: 'past_due', cancelAskedAt: 0 }, 'ends'],
  [{ status: 'past_due' }, 'past_due'],
  [{}, 'active'],
])('purchase view: the state of %j is %s', (change, state) => {
  expect(view(1, change).state).toBe(state);
});

test('purchase view: a withdrawal is offered until its last day, for what remains', () => {
  expect(view(15 * day - 1).withdraw).toEqual({ last: 14 * day, back: 699 });
  expect(view(15 * day).withdraw).toBeNull();
  expect(view(1, {}, [capture, { kind: 'refund', amount: minor(698), at: 1 }]).withdraw?.back).toBe(
    1,
  );
  expect(view(1, {}, []).withdraw).toBeNull();
  expect(view(1, { withdrawnAt: 1 }).withdraw).toBeNull();
  const facts = { subscription, rows: [capture], coupon: null, terms: null };
  expect(plan && subscriptionView({ ...facts, plan }, 1)).toMatchObject({ withdraw: null });
});

test('purchase view: a late renewal shows the end of access', () => {
  expect(view(8 * day, { status: 'past_due' })).toMatchObject({
    state: 'past_due',
    paidUntil: 7 * day,
    usableUntil: 14 * day,
  });
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

test('decline codes: a generic decline has no text, so that fraud does not stand out', () => {
  expect(shownResponse('generic_decline', 'Do Not Honor')).toBe('');
});

test('decline codes: other codes are shown with their text', () => {
  expect(shownDecline('insufficient_funds')).toBe('insufficient_funds');
  expect(shownResponse('insufficient_funds', 'Not enough.')).toBe('Not enough.');
  expect(shownResponse('insufficient_funds', null)).toBe('');
  expect(shownDecline('')).toBe('generic_decline');
  expect([shownDecline(null), shownResponse(null, 'x')]).toEqual(['generic_decline', '']);
});
