import { runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { endExtras } from '../../../../worker/payments/subscriptions/cancel-resume.ts';
import { epochMs } from '../../../../worker/platform/types.ts';
import { buy, captureLogEvents, dayMs, gateways, hourMs, owner } from '../payments-fixture.ts';

type Change = (now: number) => Partial<Subscription>;

const gone = 3 * dayMs;

/** The plan, the extra, and whether the extra ends. The plan's access ended `gone` ago. */
const cases: [name: string, plan: Change, extra: Change, endsAt: number | null][] = [
  ['an active plan', () => ({}), () => ({}), null],
  [
    'a plan in grace',
    (now) => ({ status: 'past_due', paidUntil: epochMs(now - dayMs) }),
    () => ({}),
    null,
  ],
  [
    'a plan after its grace',
    (now) => ({ status: 'past_due', paidUntil: epochMs(now - 7 * dayMs - gone) }),
    () => ({}),
    gone,
  ],
  [
    'a plan that was not read since its grace ended',
    (now) => ({ paidUntil: epochMs(now - 7 * dayMs - gone) }),
    () => ({}),
    null,
  ],
  [
    'a plan whose pause ended unpaid',
    (now) => ({
      status: 'past_due',
      paidUntil: epochMs(now - gone),
      pausesUntil: epochMs(now - 1),
    }),
    () => ({}),
    gone,
  ],
  [
    'a paused plan, as an extra that pauses too',
    (now) => ({
      status: 'paused',
      paidUntil: epochMs(now - gone),
      pausesUntil: epochMs(now + gone),
    }),
    (now) => ({ status: 'paused', pausesUntil: epochMs(now + gone) }),
    null,
  ],
  [
    'a paused plan, as an extra that renews after the pause',
    (now) => ({
      status: 'paused',
      paidUntil: epochMs(now - gone),
      pausesUntil: epochMs(now + gone),
    }),
    (now) => ({ paidUntil: epochMs(now + 2 * gone) }),
    null,
  ],
  [
    'a paused plan, as an extra that would renew in the pause',
    (now) => ({
      status: 'paused',
      paidUntil: epochMs(now - gone),
      pausesUntil: epochMs(now + 20 * gone),
    }),
    (now) => ({ paidUntil: epochMs(now + gone) }),
    gone,
  ],
  [
    'a plan whose renewal is being debited',
    (now) => ({ paidUntil: epochMs(now - gone), isDebited: true, waitsForMoney: true }),
    () => ({}),
    null,
  ],
  ['an ended plan', () => ({ status: 'ended', ends: true }), () => ({}), 0],
];

test.each(gateways.flatMap((gateway) => cases.map((one) => [gateway, ...one] as const)))(
  'extras: at %s, beside %s',
  async (gateway, _name, plan, extra, endsAt) => {
    const { stub, purchase } = await owner({ gateway });
    await buy(stub, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
    const cancelled = await runInDurableObject(stub, (_: Purchases, { storage }) => {
      const ledger = new PurchaseStorage(storage.kv as never);
      const now = Date.now();
      for (const [slot, change] of [
        ['main', plan],
        ['upsell', extra],
      ] as const) {
        const found = ledger.subscriptions().find((one) => one.slot === slot);
        if (found) ledger.saveSubscription({ ...found, ...change(now) });
      }
      endExtras(ledger);
      const after = ledger.subscriptions().find(({ slot }) => slot === 'upsell');
      return after?.cancelRequestedAt == null ? null : now - after.cancelRequestedAt;
    });
    expect(cancelled).toBe(endsAt);
  },
);

/** The payment in whose second the upgrade is quoted, and everything that was paid by then. */
const payments = [
  ['the purchase', [3999]],
  ['a renewal', [3999, 3999]],
] as const;

test.each(gateways.flatMap((gateway) => payments.map((one) => [gateway, ...one] as const)))(
  'upgrade: %s: in the second of %s it charges what was quoted, and no alarm says otherwise',
  async (gateway, _payment, paid) => {
    const { stub, attempt, fakes, runAlarm, owned, wait } = await owner({ gateway });
    const events = captureLogEvents();
    if (paid.length > 1) vi.setSystemTime((await owned()).subscription.paidUntil ?? 0);
    while (fakes.captured().length < paid.length) {
      wait(hourMs);
      fakes.stripe.passTime();
      await fakes.braintree.passTime();
    }
    await stub.sync();
    vi.setSystemTime(Math.max(...(await owned()).rows.map(({ at }) => at)));
    const quoted = await stub.quoteChange(attempt.id, {
      ...{ kind: 'upgrade', plan: 'quarterly_usd', months: 0 },
    } as never);
    if (quoted.kind === 'refused') throw new Error(quoted.refusal);
    await stub.confirmChange(attempt.id, quoted.change.id);
    await runAlarm();
    expect(fakes.captured().map(({ amount }) => amount)).toEqual([...paid, quoted.change.amount]);
    expect(events()).not.toContain('charge_differs_from_quote');
  },
);

test.each(gateways)(
  'withdrawal: %s: beside an upgrade everything is refunded in the same run',
  async (gateway) => {
    const { stub, attempt, fakes, runAlarm, wait } = await owner({ gateway });
    wait(2 * dayMs);
    const quoted = await stub.quoteChange(attempt.id, {
      ...{ kind: 'upgrade', plan: 'quarterly_usd', months: 0 },
    } as never);
    if (quoted.kind === 'refused') throw new Error(quoted.refusal);
    await stub.confirmChange(attempt.id, quoted.change.id);
    // The upgrade was sent when its owner withdrew.
    const running = runAlarm();
    await stub.withdraw(attempt.id);
    await running;
    await runAlarm();
    expect(fakes.captured().map(({ amount, refunded }) => amount - refunded)).toEqual(
      fakes.captured().map(() => 0),
    );
  },
);
