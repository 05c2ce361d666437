import { afterEach, expect, test, vi } from 'vitest';
import {
  gateway,
  nonceOfCard,
  openBraintree,
  orderOf,
  verifiedNonce,
  withNonce,
} from './braintree-fixture.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const intro = 'monthly_7d_usd';
const expired = { kind: 'rejected', reason: 'expired' };

test('Braintree challenge: a European card is verified before the charge', async () => {
  const { bank } = openBraintree();
  const nonce = await nonceOfCard(bank, '4000000000001000');
  const order = await orderOf(intro, nonce);
  expect(await gateway.charge(order)).toEqual({
    kind: 'challenge',
    paymentId: null,
    secret: nonce,
  });
  expect(bank.captures()).toEqual([]);
  const again = withNonce(order, await verifiedNonce(bank, nonce));
  expect(await gateway.charge(again)).toMatchObject({ kind: 'active', charge: { amount: 699 } });
  expect(bank.captures()).toHaveLength(1);
});

test('Braintree challenge: a payer whom the bank could not confirm is declined, whatever the browser sends', async () => {
  const { bank } = openBraintree();
  const nonce = await nonceOfCard(bank, '4000000000001018');
  const order = await orderOf(intro, nonce);
  await gateway.charge(order);
  expect(await gateway.charge(withNonce(order, await verifiedNonce(bank, nonce)))).toMatchObject({
    kind: 'declined',
    declineCode: 'authentication_failed',
  });
  expect(bank.captures()).toEqual([]);
});

test('Braintree challenge: after a soft decline a verified nonce is charged, once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const clicked = Date.now();
  const { bank } = openBraintree({ now: () => Date.now() });
  const order = await orderOf('monthly_usd', await nonceOfCard(bank, '4111111111111111'));
  // A soft decline of the issuer; the sandbox gives it only for an amount that no plan has.
  const declineFirst = (token: string) => bank.decline(token, '2099');
  const main = await gateway.charge(order);
  const methodId = main.kind === 'active' ? main.charge.methodId : '';
  declineFirst(Object.keys(bank.state.methods)[0] ?? '');
  const upsell = {
    ...order,
    methodId,
    attempt: {
      ...order.attempt,
      id: crypto.randomUUID(),
      plan: 'upsell_monthly_799_usd' as const,
      amount: 799,
      nonce: null,
      paymentId: null,
      state: 'open' as const,
    },
  };
  const challenge = await gateway.charge(upsell);
  expect(challenge).toMatchObject({
    kind: 'challenge',
    secret: expect.stringMatching(/^tokencc/),
  });
  const secret = challenge.kind === 'challenge' ? challenge.secret : '';
  const [nonce = '', bin] = secret.split('#');
  expect(bin).toBe('411111');
  vi.setSystemTime(Date.now() + 11 * 60_000);
  const asking = { ...upsell, attempt: { ...upsell.attempt, state: 'challenged' as const } };
  expect(await gateway.cancelUnpaid(asking)).toEqual(expired);
  vi.setSystemTime(clicked);
  const verified = withNonce(upsell, await verifiedNonce(bank, nonce));
  // The bank wants another challenge although the payer is verified: there is no third round.
  expect(await gateway.charge(verified)).toMatchObject({ kind: 'declined' });
  expect(bank.captures()).toHaveLength(1);
});
