import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { changeTargets } from '../../../../../worker/catalog/rules/plan-options.ts';
import type { PlanFamily } from '../../../../../worker/catalog/rules/plans.ts';
import type { Subscription } from '../../../../../worker/payments/purchase/state.ts';
import {
  allows,
  type ChangeOptions,
  changeOptions,
  givesCredit,
} from '../../../../../worker/payments/subscriptions/rules/change-options.ts';
import { startSubscription } from '../../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, paymentIdOf } from '../../../../../worker/platform/types.ts';
import { everywhereCatalog } from '../../../../fakes/everywhere-catalog.ts';
import { attempt, charge } from '../../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 21);

const row = (payment: string, daysAgo: number, kind = 'capture') => ({
  kind,
  paymentId: paymentIdOf(payment),
  at: epochMs(now - daysAgo * day),
});
const once = [row('pi_1', 10)];
const renewed = [row('pi_2', 10), row('pi_1', 40)];

interface Case {
  family?: PlanFamily;
  rows?: ReturnType<typeof row>[];
}

const { subscription } = startSubscription(attempt({ state: 'active', charge }), now);
/** A subscription paid for 20 more days. */
const running: Subscription = { ...subscription, paidUntil: epochMs(now + 20 * day) };

const targets = changeTargets(builtInCatalog, 'USD');
const optionsOf = (change: Partial<Subscription>, { family = 'monthly', rows = once }: Case = {}) =>
  changeOptions(
    {
      subscription: { ...running, plan: builtInCatalog.planOf(family, 'USD'), ...change },
      rows,
      targets,
    },
    now,
  );
const named = ({ upgrade, switch: others, ...rest }: ChangeOptions) => ({
  ...rest,
  upgrade: upgrade.map(({ family }) => family),
  switch: others.map(({ family }) => family),
});

const nothing = { upgrade: [], switch: [], maxPauseMonths: 0, resume: false, continue: false };
const monthly = { ...nothing, upgrade: ['quarterly'], maxPauseMonths: 3 };

test('change options: a month can become a quarter at once, and a quarter a month at its end', () => {
  expect(named(optionsOf({}))).toEqual(monthly);
  const quarter = { ...nothing, switch: ['monthly'], maxPauseMonths: 3 };
  expect(named(optionsOf({}, { family: 'quarterly' }))).toEqual(quarter);
});

test('change options: with three decimals a change starts when the paid period ends', () => {
  const plan = everywhereCatalog.planOf('monthly', 'KWD');
  const facts = {
    subscription: { ...running, plan },
    rows: once,
    targets: changeTargets(everywhereCatalog, 'KWD'),
  };
  const later = ['quarterly', 'half_yearly', 'yearly', 'weekly'];
  const options = { ...nothing, switch: later, maxPauseMonths: 3 };
  expect(named(changeOptions(facts, now))).toEqual(options);
});

test('change options: an extra and a guide are not changed or paused', () => {
  expect(named(optionsOf({}, { family: 'upsell_monthly_999' }))).toEqual(nothing);
  expect(named(optionsOf({}, { family: 'guide_899' }))).toEqual(nothing);
});

test('change options: an intro cannot be changed before its first renewal', () => {
  expect(named(optionsOf({}, { family: 'monthly_7d' }))).toEqual(nothing);
  expect(named(optionsOf({}, { family: 'monthly_7d', rows: renewed }))).toEqual(monthly);
});

test.each<[what: string, change: Partial<Subscription>]>([
  ['ended', { status: 'ended' }],
  ['unpaid', { status: 'past_due' }],
  ['provisional', { isProvisional: true }],
  ['withdrawn', { withdrawnAt: now }],
  ['a single payment', { subscriptionId: null }],
  ['without an end', { paidUntil: null }],
  ['cancelled a moment ago', { cancelRequestedAt: now }],
  ['on its last day', { paidUntil: epochMs(now + day) }],
])('change options: a subscription that is %s has none', (_, change) => {
  expect(named(optionsOf(change))).toEqual(nothing);
});

test('change options: a moment before the last day they are still there', () =>
  expect(named(optionsOf({ paidUntil: epochMs(now + day + 1) }))).toEqual(monthly));

test('change options: after a dispute there are none', () =>
  expect(named(optionsOf({}, { rows: [...once, row('pi_1', 1, 'dispute')] }))).toEqual(nothing));

test.each<[when: string, change: Partial<Subscription>, canResume: boolean]>([
  ['before its paid period ends', {}, true],
  ['on the last paid day', { paidUntil: epochMs(now + day) }, false],
  ['once the paid period is over', { paidUntil: epochMs(now) }, true],
  ['after it was cancelled', { cancelRequestedAt: now }, false],
  ['on its own last day', { paidUntil: epochMs(now), pausesUntil: epochMs(now + day) }, false],
])('change options: a pause %s', (_, change, canResume) => {
  const pausesUntil = epochMs(now + 60 * day);
  expect(named(optionsOf({ pausesUntil, ...change }))).toEqual({ ...nothing, resume: canResume });
});

test('change options: a planned change can only be taken back', () =>
  expect(named(optionsOf({ nextPlan: builtInCatalog.planOf('quarterly', 'USD') }))).toEqual({
    ...nothing,
    continue: true,
  }));

test('change options: one that ends can change its plan at the end; Braintree’s can also continue', () => {
  const ending = { ...nothing, switch: ['quarterly'] };
  expect(named(optionsOf({ ends: true, cancelRequestedAt: now }))).toEqual(ending);
  const braintree = { ends: true, gateway: 'braintree' } as const;
  expect(named(optionsOf(braintree))).toEqual({ ...ending, continue: true });
  expect(named(optionsOf({ ends: true }, { family: 'monthly_7d' }))).toEqual(nothing);
});

test('change options: without a credit for the unused days there is no upgrade', () => {
  const refunded = [...once, row('pi_1', 1, 'refund')];
  expect(named(optionsOf({}, { rows: refunded }))).toEqual({ ...monthly, upgrade: [] });
});

test('unused days: nothing is credited for a payment that was refunded or is disputed', () => {
  expect(givesCredit(running, renewed)).toBe(true);
  expect(givesCredit(running, [...renewed, row('pi_2', 1, 'refund')])).toBe(false);
  expect(givesCredit(running, [...renewed, row('pi_1', 1, 'refund')])).toBe(true);
  const oldestFirst = renewed.toReversed();
  expect(givesCredit(running, [...oldestFirst, row('pi_2', 1, 'refund')])).toBe(false);
  expect(givesCredit(running, [...oldestFirst, row('pi_1', 1, 'refund')])).toBe(true);
  expect(givesCredit({ ...running, isDisputed: true }, renewed)).toBe(false);
});

test('change options: only what is offered is allowed', () => {
  const options = optionsOf({});
  const [quarter, month] = [
    builtInCatalog.planOf('quarterly', 'USD'),
    builtInCatalog.planOf('monthly', 'USD'),
  ];
  const isAllowed = (kind: Parameters<typeof allows>[1]['kind'], plan = month, months = 0) =>
    allows(options, { kind, plan, months });
  expect([isAllowed('upgrade', quarter), isAllowed('upgrade', month)]).toEqual([true, false]);
  expect(isAllowed('switch', quarter)).toBe(false);
  const pauses = [0, 1, 1.5, 3, 4].map((months) => isAllowed('pause', month, months));
  expect(pauses).toEqual([false, true, false, true, false]);
  expect([isAllowed('resume'), isAllowed('continue')]).toEqual([false, false]);
});
