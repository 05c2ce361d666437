import { afterEach, expect, test, vi } from 'vitest';
import {
  declinesLate,
  gateway,
  orderOf,
  recordedStripe,
  requiresChallenge,
  statuses,
} from './stripe-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['a challenge', requiresChallenge, 'cancelUnpaid'],
  ['a decline', declinesLate, 'charge'],
  ['a decline, looked up', declinesLate, 'cancelUnpaid'],
] as const)(
  'Stripe: a cancellation that stopped half way is finished by the next call: %s',
  async (...one) => {
    const [, nonce, again] = one;
    let lost = 0;
    const { bank } = recordedStripe(
      async (path) => {
        if (!path.startsWith('DELETE') || lost++ > 0) return undefined;
        // Not a lost connection, which the client would retry itself.
        return new Response('', { status: 401 });
      },
      { unpaidTrialStatus: 'trialing' },
    );
    const order = await orderOf('monthly_7d_usd', nonce);
    const first = nonce === requiresChallenge ? 'cancelUnpaid' : 'charge';
    if (nonce === requiresChallenge) await gateway.charge(order);
    await expect(gateway[first](order)).rejects.toThrow();
    expect(statuses(bank)).toEqual({
      subscriptions: ['trialing'],
      invoices: ['void'],
      intents: ['canceled'],
    });
    const kind = nonce === requiresChallenge ? 'rejected' : 'declined';
    expect(await gateway.lookUp(order)).toMatchObject({ kind });
    expect(await gateway[again](order)).toMatchObject({ kind });
    expect(statuses(bank)).toEqual({
      subscriptions: ['canceled'],
      invoices: ['void'],
      intents: ['canceled'],
    });
  },
);

test('Stripe: a payment of another amount is rejected and reported, and does not renew', async () => {
  const { bank } = recordedStripe();
  const order = await orderOf('monthly_usd', 'pm_card_visa');
  await gateway.charge(order);
  const [intent] = Object.values(bank.state.payment_intents);
  const other = { ...order, attempt: { ...order.attempt, amount: 100 } };
  expect(await gateway.cancelUnpaid(other)).toEqual({
    kind: 'rejected',
    reason: 'foreign intent',
    keptCapture: { paymentId: intent?.id, amount: 3999 },
  });
  expect(statuses(bank).subscriptions).toEqual(['canceled']);
});

test('Stripe: a refused e-mail creates no customer; without an answer it throws', async () => {
  let status = 400;
  recordedStripe(async () => {
    const error = { type: 'invalid_request_error', code: 'email_invalid', message: 'no' };
    return Response.json({ error }, { status });
  });
  expect(await gateway.customer('a', 'ann@')).toBeUndefined();
  status = 409;
  await expect(gateway.customer('a', 'ann@')).rejects.toThrow();
});
