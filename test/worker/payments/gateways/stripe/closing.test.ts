import { afterEach, expect, test, vi } from 'vitest';
import { gateway, listenedBank, orderOf, standing } from '../recording-gateway.ts';

const late = 'pm_card_chargeCustomerFail';
const asked = 'pm_card_authenticationRequired';

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['a challenge', asked, 'settle'],
  ['a decline', late, 'charge'],
  ['a decline, settled', late, 'settle'],
] as const)('a close that stopped half way is finished the next time: %s', async (...one) => {
  const [, nonce, again] = one;
  let lost = 0;
  const { bank } = listenedBank(
    async (path) => {
      if (!path.startsWith('DELETE') || lost++ > 0) return undefined;
      // Not a lost connection: the client would repeat that itself, with pauses.
      return new Response('', { status: 401 });
    },
    { unpaidTrialStatus: 'trialing' },
  );
  const order = await orderOf('monthly_7d_usd', nonce);
  const first = nonce === asked ? 'settle' : 'charge';
  if (nonce === asked) await gateway.charge(order);
  await expect(gateway[first](order)).rejects.toThrow();
  expect(standing(bank)).toEqual({
    subscriptions: ['trialing'],
    invoices: ['void'],
    intents: ['canceled'],
  });
  const kind = nonce === asked ? 'rejected' : 'declined';
  expect(await gateway.lookUp(order)).toMatchObject({ kind });
  expect(await gateway[again](order)).toMatchObject({ kind });
  expect(standing(bank)).toEqual({
    subscriptions: ['canceled'],
    invoices: ['void'],
    intents: ['canceled'],
  });
});

test('money that was taken in another sum is neither sold nor hidden, and renews nothing', async () => {
  const { bank } = listenedBank();
  const order = await orderOf('monthly_usd', 'pm_card_visa');
  await gateway.charge(order);
  const [intent] = Object.values(bank.state.payment_intents);
  const other = { ...order, attempt: { ...order.attempt, amount: 100 } };
  expect(await gateway.settle(other)).toEqual({
    kind: 'rejected',
    reason: 'foreign intent',
    taken: { paymentId: intent?.id, amount: 3999 },
  });
  expect(standing(bank).subscriptions).toEqual(['canceled']);
});

test('an e-mail that Stripe does not take is no customer; no answer is an error', async () => {
  let status = 400;
  listenedBank(async () => {
    const error = { type: 'invalid_request_error', code: 'email_invalid', message: 'no' };
    return Response.json({ error }, { status });
  });
  expect(await gateway.customer('a', 'ann@')).toBeUndefined();
  status = 409;
  await expect(gateway.customer('a', 'ann@')).rejects.toThrow();
});
