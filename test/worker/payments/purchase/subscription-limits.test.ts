import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Statement, Subscription } from '../../../../worker/payments/purchase/state.ts';
import { applyStatement } from '../../../../worker/payments/purchase/subscription.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { attempt, charge } from '../attempts/attempt-fixture.ts';

const day = 24 * 60 * 60_000;
const boughtAt = Date.UTC(2026, 10, 22);
const onDay = (days: number) => boughtAt + days * day;
const now = onDay(20);
const amount = 3999;
const { subscription } = startSubscription(
  attempt({ state: 'active', charge, openedAt: boughtAt }),
  boughtAt,
);

const first = { id: 'pi', paymentId: 'pi', amount, at: boughtAt + 1 };
const renewal = { id: 'pi_2', paymentId: 'pi_2', amount, at: onDay(15) };

/** Whether it is read again in a minute. */
function isAwaited(change: Partial<Subscription>, captures: object[], refunded: number): boolean {
  const paymentId = captures.length > 1 ? renewal.paymentId : first.paymentId;
  const statement = {
    ...{ status: 'active', paidUntil: onDay(40), ends: true, unpaid: 0, isDisputed: false },
    ...{ captures, refunds: [{ id: 're', paymentId, amount: refunded, at: now }], disputes: [] },
  } as unknown as Statement;
  const before = { ...subscription, ...change };
  return applyStatement(before, statement, now).subscription.dueAt === now + 60_000;
}

test('subscription: until the last cent of a withdrawal or of a late renewal is refunded, it is read each minute', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 1, max: amount }), fc.constant(amount - 1)), (value) => {
      const isOpen = value < amount;
      expect(isAwaited({ withdrawnAt: onDay(10) }, [first], value)).toBe(isOpen);
      expect(isAwaited({ cancelRequestedAt: onDay(10) }, [first, renewal], value)).toBe(isOpen);
      expect(isAwaited({ cancelRequestedAt: onDay(16) }, [first, renewal], value)).toBe(false);
    }),
  );
});
