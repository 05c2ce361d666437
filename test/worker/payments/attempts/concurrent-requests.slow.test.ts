import { expect, test } from 'vitest';
import type { PurchaseResponse } from '../../../../worker/payments/attempts/checkout.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import {
  awaitResult,
  buy,
  buyer,
  gateways,
  scaled,
  startPurchase,
  stubGateways,
} from '../payments-fixture.ts';
import { challengedCard } from './provider-side.ts';

const patient = { timeout: 1_200_000 };

const idOf = (opened: PurchaseResponse | undefined) =>
  opened?.kind === 'accepted' ? opened.pollingId : '';
const refusals = (opened: PurchaseResponse[]) => opened.filter((one) => one.kind === 'refused');

test.each(gateways)(
  'concurrency: identical requests on %s get one id and one charge',
  patient,
  async (gateway) => {
    const fakes = stubGateways();
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
    const posts = Array.from({ length: scaled(1000) }, () => startPurchase(stub, purchase));
    const ids = new Set(await Promise.all(posts));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    expect((await awaitResult(stub, id)).state).toBe('active');
    // The result is stable: the same post after the purchase is still the same purchase.
    expect(await startPurchase(stub, purchase)).toBe(id);
    expect(fakes.captured()).toMatchObject([{ amount: 3999, refunded: 0 }]);
  },
);

test('concurrency: two tabs with two plans: one charge, one refusal', patient, async () => {
  const fakes = stubGateways();
  for (let round = 0; round < scaled(500); round += 1) {
    const gateway = gateways[round % 2] ?? 'stripe';
    const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
    const tabs: PurchaseResponse[] = await Promise.all([
      stub.buy(purchase),
      stub.buy({ ...purchase, plan: 'quarterly_usd' }),
    ]);
    expect(refusals(tabs)).toEqual([{ kind: 'refused', refusal: 'purchase_in_progress' }]);
    await awaitResult(stub, idOf(tabs.find((tab) => tab.kind === 'accepted')));
    expect(fakes.captured()).toHaveLength(round + 1);
  }
});

test('concurrency: PayPal while a card’s outcome is unknown: one charge', patient, async () => {
  for (let round = 0; round < scaled(500); round += 1) {
    let dark = true;
    const fakes = stubGateways({
      wrap: (next) => async (input, init) => {
        const response = await next(input, init);
        if (dark) throw new TypeError('network connection lost');
        return response;
      },
    });
    const { stub, purchase } = buyer();
    const id = await startPurchase(stub, purchase);
    const nonce = 'fake-paypal-billing-agreement-nonce';
    const other = { ...purchase, gateway: 'braintree', nonce } as const;
    expect(await stub.buy(other)).toEqual({ kind: 'refused', refusal: 'purchase_in_progress' });
    dark = false;
    expect(await stub.buy(other)).toEqual({ kind: 'refused', refusal: 'purchase_in_progress' });
    expect((await awaitResult(stub, id)).state).toBe('active');
    expect(fakes.captured()).toHaveLength(1);
  }
});

test(
  'concurrency: an upsell tapped twice: one charge, at the gateway that has the card',
  patient,
  async () => {
    for (const gateway of gateways) {
      const fakes = stubGateways();
      for (let round = 0; round < scaled(500) / 2; round += 1) {
        const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
        await buy(stub, purchase);
        const upsell = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
        const ids = await Promise.all([startPurchase(stub, upsell), startPurchase(stub, upsell)]);
        expect(ids[0]).toBe(ids[1]);
        expect(await awaitResult(stub, ids[0] ?? '')).toMatchObject({ state: 'active', gateway });
        expect(fakes.captured()).toHaveLength(2 * round + 2);
      }
    }
  },
);

test(
  'concurrency: a Braintree nonce used by two accounts at once is one sale',
  patient,
  async () => {
    const fakes = stubGateways();
    for (let round = 0; round < scaled(100); round += 1) {
      const nonce = await nonceOfCard(fakes.braintree, '4111111111111111');
      const one = () => buyer({ gateway: 'braintree', nonce });
      const buyers = [one(), one()];
      const ends = await Promise.all(buyers.map(({ stub, purchase }) => buy(stub, purchase)));
      expect(ends.map(({ state }) => state).sort()).toEqual(['active', 'failed']);
      expect(fakes.captured()).toHaveLength(round + 1);
    }
  },
);

test('challenge: an attempt replaced by another amount charges that amount once', async () => {
  const fakes = stubGateways();
  const nonce = await nonceOfCard(fakes.braintree, challengedCard);
  const { stub, purchase } = buyer({ gateway: 'braintree', nonce });
  const first = await startPurchase(stub, purchase);
  await expect.poll(async () => (await stub.result(first))?.state).toBe('challenged');
  const second = await startPurchase(stub, {
    ...{ ...purchase, nonce: approved.braintree },
    coupon: { kind: 'discount', code: 'HALF', discount: minor(2000) },
  });
  expect((await awaitResult(stub, second)).state).toBe('active');
  expect((await stub.result(first))?.state).toBe('failed');
  expect(fakes.captured()).toMatchObject([{ amount: 1999, refunded: 0 }]);
});

test('challenge: at Stripe a pending challenge refuses another amount', async () => {
  const fakes = stubGateways();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const first = await startPurchase(stub, purchase);
  await expect.poll(async () => (await stub.result(first))?.state).toBe('challenged');
  const coupon = { kind: 'discount', code: 'HALF', discount: minor(2000) } as const;
  const other = { ...purchase, coupon };
  expect(await stub.buy(other)).toEqual({ kind: 'refused', refusal: 'purchase_in_progress' });
  expect(fakes.captured()).toEqual([]);
});
