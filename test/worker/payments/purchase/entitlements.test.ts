import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  activeAt,
  entitlementsOf,
  nextEnd,
} from '../../../../worker/payments/purchase/entitlements.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { accessUntil } from '../../../../worker/payments/purchase/subscription.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs } from '../../../../worker/platform/types.ts';
import { attempt, charge } from '../attempts/attempt-fixture.ts';

const dayMs = 24 * 60 * 60_000;
const now = Date.parse('2026-11-23T09:00:00Z');

function subscription(change: Partial<Subscription> = {}, plan = 'monthly_usd'): Subscription {
  const slot = plan.startsWith('guide') ? 'guide' : plan.startsWith('upsell') ? 'upsell' : 'main';
  const bought = attempt({ plan: plan as never, slot, charge, openedAt: now });
  return { ...startSubscription(bought, now).subscription, ...change };
}

const paidUntil = epochMs(now + 30 * dayMs);

test.each<[string, Partial<Subscription>, string, number | null]>([
  ['renews', {}, 'subscription', paidUntil + 7 * dayMs],
  ['is late', { status: 'past_due' }, 'grace', paidUntil + 7 * dayMs],
  ['was cancelled', { ends: true, cancelRequestedAt: 1 }, 'kept_until_end', paidUntil],
  ['ends at the gateway', { ends: true }, 'kept_until_end', paidUntil],
])('entitlements: a plan that %s', (_what, change, reason, until) => {
  const [one] = entitlementsOf([subscription({ paidUntil, ...change })], now);
  expect(one).toEqual({ slot: 'main', kind: 'plan', plan: 'monthly_usd', reason, until });
});

test('entitlements: an extra gives an entitlement, and that of a one-time purchase never ends', () => {
  const guide = subscription({}, 'guide_1799_usd');
  const upsell = subscription({ paidUntil }, 'upsell_monthly_999_usd');
  expect(entitlementsOf([guide, upsell], now)).toMatchObject([
    { slot: 'upsell', kind: 'extra', reason: 'subscription' },
    { slot: 'guide', kind: 'extra', reason: 'purchase', until: null },
  ]);
});

test('entitlements: the plan comes first, then the extras, whatever lasts longer', () => {
  const guide = subscription({}, 'guide_1799_usd');
  const upsell = subscription({ paidUntil: epochMs(now + 60 * dayMs) }, 'upsell_monthly_999_usd');
  const main = subscription({ paidUntil });
  const slots = entitlementsOf([guide, upsell, main], now).map(({ slot }) => slot);
  expect(slots).toEqual(['main', 'upsell', 'guide']);
});

test('entitlements: a withdrawn, ended or expired subscription gives none', () => {
  const over = [
    { withdrawnAt: 1 },
    { status: 'ended' as const },
    { ends: true, paidUntil: epochMs(now) },
  ];
  for (const change of over) expect(entitlementsOf([subscription(change)], now)).toEqual([]);
});

test('entitlements: of two plans in one slot the one that lasts longer counts', () => {
  const ending = subscription({ ends: true, paidUntil: epochMs(now + dayMs) });
  const next = subscription({ paidUntil }, 'quarterly_usd');
  for (const both of [
    [ending, next],
    [next, ending],
  ])
    expect(entitlementsOf(both, now).map(({ plan }) => plan)).toEqual(['quarterly_usd']);
});

test('entitlements: every subscription is active exactly while it gives access', () => {
  const any = fc.record({
    status: fc.constantFrom('active' as const, 'past_due' as const, 'ended' as const),
    ends: fc.boolean(),
    cancelRequestedAt: fc.option(fc.constant(1)),
    paidUntil: fc.option(
      fc.integer({ min: -60, max: 60 }).map((days) => epochMs(now + days * dayMs)),
    ),
  });
  fc.assert(
    fc.property(any, fc.integer({ min: 0, max: 90 }), (change, days) => {
      const one = subscription(change);
      const then = now + days * dayMs;
      const active = entitlementsOf([one], now);
      expect(active.length > 0).toBe(accessUntil(one) > now);
      expect(activeAt(active, then).length > 0).toBe(accessUntil(one) > then);
      const end = nextEnd(active);
      const lasts = Number.isFinite(accessUntil(one));
      expect(end).toBe(active.length > 0 && lasts ? accessUntil(one) : null);
      if (end !== null) expect(activeAt(active, end)).toEqual([]);
    }),
  );
});
