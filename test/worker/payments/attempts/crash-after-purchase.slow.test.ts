import { expect, vi } from 'vitest';
import { type Minor, minor, type PaymentId, paymentIdOf } from '../../../../worker/types.ts';
import { dayMs, remainingAmounts } from '../payments-fixture.ts';
import { buyPlan, intro, subscriptionIn, testCrashes } from './crash-fixture.ts';
import type { Driven } from './driven-object.ts';

/** Refunds under one key, repeated until the result is definite. */
async function refunded(driven: Driven, payment: PaymentId | undefined, amount: Minor | null) {
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
  async 'a refund'(driven, purchase, bank) {
    const { charge } = await buyPlan(driven, purchase, bank);
    await refunded(driven, charge?.paymentId, null);
    await driven.rest();
    expect(remainingAmounts(bank.taken())).toEqual([0]);
    expect(subscriptionIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a refund of a part, once it is settled'(driven, purchase, bank) {
    const { charge } = await buyPlan(driven, purchase, bank);
    vi.setSystemTime(Date.now() + 2 * dayMs);
    await refunded(driven, charge?.paymentId, minor(1000));
    await refunded(driven, charge?.paymentId, minor(1000));
    expect(remainingAmounts(bank.taken())).toEqual([2999]);
  },
  async 'a cancellation'(driven, purchase, bank) {
    const { id } = await buyPlan(driven, purchase, bank);
    await driven.run((object) => object.cancelSubscription(id));
    await driven.rest();
    expect(remainingAmounts(bank.taken())).toEqual([3999]);
    expect(subscriptionIn(driven)).toMatchObject({ status: 'active', ends: true });
  },
  async 'a withdrawal'(driven, purchase, bank) {
    const { id } = await buyPlan(driven, { ...purchase, plan: intro }, bank);
    await driven.run((object) => object.withdraw(id));
    await driven.rest();
    expect(remainingAmounts(bank.taken())).toEqual([0]);
    expect(subscriptionIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
});
