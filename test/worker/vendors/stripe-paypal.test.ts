import { afterEach, expect, test, vi } from 'vitest';
import type { Order } from '../../../worker/funnel/gateway.ts';
import { gateway, listenedBank, orderOf } from './listened-bank.ts';

afterEach(() => void vi.unstubAllGlobals());

/** What the browser stand-in tells the fake, which is no part of Stripe's interface. */
async function say(path: string, params: Record<string, string>) {
  const body = new URLSearchParams({ ...params, key: 'pk_test_page' });
  const response = await fetch(`https://api.stripe.com/v1${path}`, { method: 'POST', body });
  return (await response.json()) as { id: string };
}

/** A main plan by PayPal, whose payer is sent there first and agrees. */
async function bought() {
  const { bank, calls } = listenedBank();
  const card = 'pm_card_authenticationRequiredOnSetup';
  const { id: nonce } = await say('/__wallet', { wallet: 'paypal', card });
  const order = await orderOf('monthly_usd', nonce);
  const asked = await gateway.charge(order);
  if (asked.kind !== 'challenge') throw new Error(asked.kind);
  const { paymentId, secret } = asked;
  await say(`/__challenge/${paymentId}`, { client_secret: secret, outcome: 'authenticated' });
  const outcome = await gateway.lookUp(order);
  if (outcome.kind !== 'active') throw new Error(outcome.kind);
  const extra = async (plan: 'guide_899_usd' | 'upsell_monthly_799_usd', amount: number) => {
    const attempt = { ...order.attempt, id: crypto.randomUUID(), plan, amount, nonce: null };
    const added: Order = { ...order, attempt, methodId: outcome.charge.methodId };
    calls.length = 0;
    return gateway.charge(added);
  };
  return { bank, calls, extra };
}

test.each([
  ['guide_899_usd', 899],
  ['upsell_monthly_799_usd', 799],
] as const)(
  '%s is charged to a saved PayPal account without asking again',
  async (plan, amount) => {
    const { bank, calls, extra } = await bought();
    expect(await extra(plan, amount)).toMatchObject({ kind: 'active', charge: { amount } });
    const confirmed = calls.find(({ path }) => path.endsWith('/confirm'));
    expect(confirmed?.body).toContain('off_session=true');
    expect(bank.captures().map((capture) => capture.amount)).toEqual([3999, amount]);
  },
);

test('a saved card is charged as its owner is here, so that the bank may ask', async () => {
  const { calls } = listenedBank();
  const order = await orderOf('monthly_usd', 'pm_card_visa');
  const outcome = await gateway.charge(order);
  if (outcome.kind !== 'active') throw new Error(outcome.kind);
  const { methodId } = outcome.charge;
  const plan = 'guide_899_usd';
  const attempt = {
    ...order.attempt,
    id: crypto.randomUUID(),
    plan,
    amount: 899,
    nonce: null,
  } as const;
  expect(await gateway.charge({ ...order, attempt, methodId })).toMatchObject({ kind: 'active' });
  const created = calls.find(({ path, body }) => path === 'POST /payment_intents' && body);
  expect(decodeURIComponent(created?.body ?? '')).toContain('[allow_redirects]=never');
  expect(calls.filter(({ body }) => body.includes('off_session=true'))).toEqual([]);
});
