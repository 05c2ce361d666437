import { expect, vi } from 'vitest';
import { type Minor, minor, type PaymentId, paymentIdOf } from '../../../../worker/types.ts';
import { newInvitee } from '../../invitations/sms/sms-fixture.ts';
import { dayMs, left } from '../payments-fixture.ts';
import { bought, intro, testCrashes } from './crash-fixture.ts';
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

const heldIn = (driven: Driven) => driven.object().ownedSubscriptions()[0]?.subscription;

testCrashes({
  async 'a refund'(driven, purchase, bank) {
    const { charge } = await bought(driven, purchase, bank);
    await refunded(driven, charge?.paymentId, null);
    await driven.rest();
    expect(left(bank.taken())).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a refund of a part, once it is settled'(driven, purchase, bank) {
    const { charge } = await bought(driven, purchase, bank);
    vi.setSystemTime(Date.now() + 2 * dayMs);
    await refunded(driven, charge?.paymentId, minor(1000));
    await refunded(driven, charge?.paymentId, minor(1000));
    expect(left(bank.taken())).toEqual([2999]);
  },
  async 'a cancellation'(driven, purchase, bank) {
    const { id } = await bought(driven, purchase, bank);
    await driven.run((object) => object.cancelSubscription(id));
    await driven.rest();
    expect(left(bank.taken())).toEqual([3999]);
    expect(heldIn(driven)).toMatchObject({ status: 'active', ends: true });
  },
  async 'a withdrawal'(driven, purchase, bank) {
    const { id } = await bought(driven, { ...purchase, plan: intro }, bank);
    await driven.run((object) => object.withdraw(id));
    await driven.rest();
    expect(left(bank.taken())).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a claim of the guarantee, which ends what was asked'(driven, purchase, bank) {
    const { id } = await bought(driven, purchase, bank);
    const { stub, request } = newInvitee({ account: purchase.account, via: 'link' });
    const asked = await stub.invite(request);
    if (asked.kind === 'refused') throw new Error(asked.refusal);
    await driven.run((object) => object.claim([id]));
    await driven.rest();
    expect(left(bank.taken())).toEqual([0]);
    expect(await stub.viewForRequester(asked.view.id, purchase.account)).toMatchObject({
      state: 'not_shared',
    });
  },
  async 'a deleted account'(driven, purchase, bank) {
    const { stripe, braintree } = bank;
    await bought(driven, purchase, bank);
    await driven.run((object) => object.deleteAccount(async () => null));
    await driven.rest();
    const known = [stripe, braintree].flatMap(({ state }) => Object.values(state.customers));
    expect(known.map(({ email }) => email ?? '').join('')).toBe('');
    expect(heldIn(driven)).toMatchObject({ ends: true });
  },
});
