import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  invitationRefusal,
  invitationRightUntil,
} from '../../../../worker/payments/purchase/invitation-right.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { accessUntil } from '../../../../worker/payments/purchase/subscription.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs } from '../../../../worker/platform/types.ts';
import { attempt, charge } from '../attempts/attempt-fixture.ts';

const dayMs = 24 * 60 * 60_000;
const now = Date.parse('2026-11-23T09:00:00Z');
const inDays = (days: number) => epochMs(now + days * dayMs);

function subscription(change: Partial<Subscription> = {}, plan = 'monthly_usd'): Subscription {
  const slot = plan.startsWith('upsell') ? 'upsell' : 'main';
  const bought = attempt({ plan: plan as never, slot, charge, openedAt: now });
  return { ...startSubscription(bought, now).subscription, paidUntil: inDays(20), ...change };
}

const plan = (change: Partial<Subscription> = {}) => [subscription(change)];
const failed = { status: 'past_due' } as const;
const over = { status: 'ended' } as const;

/** Every state of an account's plan: whether it may invite people and see their locations. */
const states: [string, Subscription[], string | null][] = [
  ['no plan', [], 'main_plan_required'],
  ['only an extra', [subscription({}, 'upsell_monthly_999_usd')], 'main_plan_required'],
  ['active', plan(), null],
  ['in its intro', [subscription({ paidUntil: inDays(3) }, 'monthly_3d_usd')], null],
  ['renewal not yet read, in grace', plan({ paidUntil: inDays(-6) }), null],
  ['past due, in grace', plan({ ...failed, paidUntil: inDays(-6) }), null],
  ['past due, grace is over', plan({ ...failed, paidUntil: inDays(-7) }), 'payment_overdue'],
  ['renewal not read, grace is over', plan({ paidUntil: inDays(-7) }), 'payment_overdue'],
  ['renewal debit under way', plan({ paidUntil: inDays(-8), isDebited: true }), null],
  ['pause begins later', plan({ pausesUntil: inDays(50) }), null],
  [
    'pause began, not yet read',
    plan({ paidUntil: inDays(0), pausesUntil: inDays(30) }),
    'plan_paused',
  ],
  [
    'paused',
    plan({ status: 'paused', paidUntil: inDays(-1), pausesUntil: inDays(29) }),
    'plan_paused',
  ],
  ['ending', plan({ ends: true, cancelRequestedAt: now }), null],
  ['cancelled, not yet at the gateway', plan({ cancelRequestedAt: now }), null],
  ['ending, period is over', plan({ ends: true, paidUntil: inDays(0) }), 'main_plan_required'],
  ['ended', plan(over), 'main_plan_required'],
  ['refunded in full, or dispute lost', plan({ ...over, ends: true }), 'main_plan_required'],
  ['withdrawn', plan({ withdrawnAt: now, cancelRequestedAt: now }), 'main_plan_required'],
  [
    'withdrawn while provisional',
    plan({ isProvisional: true, withdrawnAt: now }),
    'main_plan_required',
  ],
  ['dispute open', plan({ isDisputed: true }), 'payment_disputed'],
  ['dispute open while ending', plan({ isDisputed: true, ends: true }), 'payment_disputed'],
  ['provisional', plan({ isProvisional: true }), 'payment_unconfirmed'],
  [
    'cancelled while provisional',
    plan({ isProvisional: true, cancelRequestedAt: now }),
    'payment_unconfirmed',
  ],
  ['ended, then bought again', [...plan(over), subscription()], null],
  [
    'ended, then bought by debit',
    [...plan(over), subscription({ isProvisional: true })],
    'payment_unconfirmed',
  ],
  [
    'ending, the next one is provisional',
    [...plan({ ends: true }), subscription({ isProvisional: true, paidUntil: inDays(60) })],
    null,
  ],
];

test.each(states)('right to invite: %s', (_state, subscriptions, refusal) => {
  for (const all of [subscriptions, subscriptions.toReversed()])
    expect(invitationRefusal(all, now)).toBe(refusal);
});

test('right to invite: it ends exactly when the last settled plan gives no access any more', () => {
  const any = fc.record({
    status: fc.constantFrom(
      'active' as const,
      'past_due' as const,
      'paused' as const,
      'ended' as const,
    ),
    ends: fc.boolean(),
    isProvisional: fc.boolean(),
    isDisputed: fc.boolean(),
    withdrawnAt: fc.option(fc.constant(1)),
    paidUntil: fc.integer({ min: -60, max: 60 }).map(inDays),
  });
  fc.assert(
    fc.property(
      fc.array(any, { maxLength: 3 }),
      fc.integer({ min: 0, max: 90 }),
      (changes, days) => {
        const all = changes.map((change) => subscription(change));
        const then = inDays(days);
        const settled = all.filter(
          (one) => !one.isProvisional && !one.isDisputed && one.withdrawnAt === null,
        );
        const expected = settled.some((one) => accessUntil(one) > then);
        expect(invitationRefusal(all, then) === null).toBe(expected);
        expect(invitationRightUntil(all) > then).toBe(expected);
      },
    ),
  );
});
