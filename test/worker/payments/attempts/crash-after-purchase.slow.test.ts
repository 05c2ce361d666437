import { expect, vi } from 'vitest';
import {
  type Minor,
  minor,
  type PaymentId,
  paymentIdOf,
} from '../../../../worker/platform/types.ts';
import { dayMs, remainingAmounts } from '../payments-fixture.ts';
import { buyPlan, intro, subscriptionIn, testCrashes } from './crash-fixture.ts';
import type { DrivenObject } from './driven-object.ts';

/** Refunds under one key, repeated until the result is definite. */
async function refunded(
  driven: DrivenObject,
  payment: PaymentId | undefined,
  amount: Minor | null,
) {
  for (;;) {
    const answer = await driven.run((object) =>
      object.refund(payment ?? paymentIdOf(''), amount, 'key'),
    );
    if (answer.kind !== 'refused') return;
    expect(answer).toEqual({ kind: 'refused', refusal: 'gateway_ambiguous' });
    vi.setSystemTime(Date.now() + 60_000);
  }
}

testCrashes({
  async 'a refund'(driven, purchase, fakes) {
    const { charge } = await buyPlan(driven, purchase, fakes);
    await refunded(driven, charge?.paymentId, null);
    await driven.runDueAlarms();
    expect(remainingAmounts(fakes.captured())).toEqual([0]);
    expect(subscriptionIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a refund of a part, once it is settled'(driven, purchase, fakes) {
    const { charge } = await buyPlan(driven, purchase, fakes);
    vi.setSystemTime(Date.now() + 2 * dayMs);
    await refunded(driven, charge?.paymentId, minor(1000));
    await refunded(driven, charge?.paymentId, minor(1000));
    expect(remainingAmounts(fakes.captured())).toEqual([2999]);
  },
  async 'a cancellation'(driven, purchase, fakes) {
    const { id } = await buyPlan(driven, purchase, fakes);
    await driven.run((object) => object.cancelSubscription(id));
    await driven.runDueAlarms();
    expect(remainingAmounts(fakes.captured())).toEqual([3999]);
    expect(subscriptionIn(driven)).toMatchObject({ status: 'active', ends: true });
  },
  async 'a withdrawal'(driven, purchase, fakes) {
    const { id } = await buyPlan(driven, { ...purchase, plan: intro }, fakes);
    await driven.run((object) => object.withdraw(id));
    await driven.runDueAlarms();
    expect(remainingAmounts(fakes.captured())).toEqual([0]);
    expect(subscriptionIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
});
