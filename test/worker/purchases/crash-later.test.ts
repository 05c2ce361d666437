import { expect } from 'vitest';
import { bought, crashEverywhere, intro, left } from './crashing.ts';
import type { Driven } from './driven.ts';

const heldIn = (driven: Driven) => driven.object().held()[0]?.bought;

crashEverywhere({
  async 'a refund'(driven, purchase, bank) {
    const { charge } = await bought(driven, purchase);
    await driven.run((object) => object.refund(charge?.paymentId ?? '', null, 'key'));
    await driven.rest();
    expect(left(bank)).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a cancellation'(driven, purchase, bank) {
    const { id } = await bought(driven, purchase);
    await driven.run((object) => object.end(id));
    await driven.rest();
    expect(left(bank)).toEqual([3999]);
    expect(heldIn(driven)).toMatchObject({ status: 'active', ends: true });
  },
  async 'a withdrawal'(driven, purchase, bank) {
    const { id } = await bought(driven, { ...purchase, plan: intro });
    await driven.run((object) => object.withdraw(id));
    await driven.rest();
    expect(left(bank)).toEqual([0]);
    expect(heldIn(driven)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a deleted account'(driven, purchase, { stripe, braintree }) {
    await bought(driven, purchase);
    await driven.run((object) => object.leave());
    await driven.rest();
    const known = [stripe, braintree].flatMap(({ state }) => Object.values(state.customers));
    expect(known.map(({ email }) => email ?? '').join('')).toBe('');
    expect(heldIn(driven)).toMatchObject({ ends: true });
  },
});
