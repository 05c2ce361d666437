import { expect, test } from 'vitest';
import { mailPlan } from '../../../../worker/catalog/rules/plans.ts';
import { movementNotice } from '../../../../worker/payments/notices/money-notices.ts';
import { changeNotice } from '../../../../worker/payments/notices/subscription-notices.ts';
import type { PlanChange } from '../../../../worker/payments/purchase/change-state.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { attempt, charge, germanTerms, planNamed } from '../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const boughtAt = Date.UTC(2026, 10, 22);
const onDay = (days: number) => boughtAt + days * day;
const terms = germanTerms({ at: boughtAt });
const bought = attempt({ state: 'active', charge, terms, openedAt: boughtAt });
const { subscription } = startSubscription(bought, boughtAt);

const row = (id: string, amount: number, at: number, payment = id.split(/[:#]/)[1] ?? '') => ({
  id,
  kind: id.split(':', 1)[0] as 'capture' | 'refund' | 'dispute',
  amount: minor(amount),
  paymentId: paymentIdOf(payment),
  at: epochMs(at),
});
const first = row('capture:pi_1', 3999, boughtAt);
const renewal = { ...row('capture:pi_2', 3999, onDay(31)), tax: minor(638) };

const noticeOf = (
  moved: typeof first,
  rows: (typeof first)[],
  change: Partial<Subscription> = {},
) => movementNotice(bought, { ...subscription, ...change }, moved, rows);

test('movement e-mails: a renewal has a receipt with its tax and the next renewal; the first payment has its own', () => {
  expect(noticeOf(first, [first])).toBeNull();
  expect(noticeOf(renewal, [first, renewal])).toEqual({
    id: 'renewal_receipt:a:capture:pi_2',
    template: 'renewal_receipt',
    until: null,
    data: {
      ...{
        plan: mailPlan(planNamed('monthly_usd')),
        coupon: null,
        at: onDay(31),
        timeZone: 'Europe/Berlin',
      },
      ...{ paid: 3999, renews: subscription.paidUntil, receipt: 'pi_2', tax: 638 },
      taxIncluded: true,
    },
  });
  expect(noticeOf(renewal, [first, renewal], { ends: true })?.data).toMatchObject({ renews: null });
});

test('movement e-mails: a reversed capture, a dispute and the charge of a change have none', () => {
  expect(noticeOf(row('capture:pi_2#2', -3999, onDay(32)), [first, renewal])).toBeNull();
  expect(noticeOf(row('dispute:dp', 3999, onDay(32), 'pi_2'), [first, renewal])).toBeNull();
  const changedAt = (at: number) =>
    noticeOf(renewal, [first, renewal], {
      paidSince: { plan: planNamed('monthly_usd'), at: epochMs(at) },
    });
  expect([changedAt(onDay(30) + 1), changedAt(onDay(32) - 1)]).toEqual([null, null]);
  expect([changedAt(onDay(30)), changedAt(onDay(32))].map((notice) => notice?.template)).toEqual([
    ...['renewal_receipt', 'renewal_receipt'],
  ]);
});

test('movement e-mails: a partial refund of a renewing subscription says of what it is a part', () => {
  const refund = row('refund:re', 1000, onDay(32), 'pi_2');
  const rows = [first, renewal, refund];
  expect(noticeOf(refund, rows)).toMatchObject({ template: 'refund', data: { partOf: 3999 } });
  const whole = row('refund:re', 3999, onDay(32), 'pi_2');
  expect(noticeOf(whole, [first, renewal, whole])?.data).not.toHaveProperty('partOf');
  const allButOne = row('refund:re', 3998, onDay(32), 'pi_2');
  expect(noticeOf(allButOne, [first, renewal, allButOne])?.data).toMatchObject({ partOf: 3999 });
  for (const change of [{ ends: true }, { paidUntil: null }])
    expect(noticeOf(refund, rows, change)?.data).not.toHaveProperty('partOf');
  const undone = row('refund:re#2', -1000, onDay(33), 'pi_2');
  expect(noticeOf(undone, [...rows, undone])).toBeNull();
});

test('change e-mails: a change that was paid has a receipt', () => {
  const made = (amount: number, payment: string | null) => {
    const change = {
      ...{
        id: 'c',
        kind: 'upgrade',
        plan: planNamed('quarterly_usd'),
        credit: minor(0),
        until: null,
      },
      ...{ takesEffectAt: 1, next: { amount: 5999, at: 2 }, tax: minor(1) },
      ...{ amount: minor(amount), paymentId: payment },
    };
    return changeNotice(bought, change as unknown as PlanChange, 9);
  };
  expect(made(1, 'pi_2')).toMatchObject({
    id: 'plan_change:a:c',
    data: { plan: mailPlan(planNamed('quarterly_usd')), paid: 1, receipt: 'pi_2', tax: 1 },
  });
  expect([made(0, 'pi_2'), made(1, null)].map((notice) => notice?.data)).not.toContainEqual(
    expect.objectContaining({ receipt: 'pi_2' }),
  );
});
