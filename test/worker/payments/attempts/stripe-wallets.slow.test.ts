import { expect, test, vi } from 'vitest';
import type { StripeWallet } from '../../../../worker/catalog/rules/stripe-wallets.ts';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import { walletPurchase } from '../bank-fixture.ts';
import {
  buy,
  buyer,
  dayMs,
  remainingAmounts,
  runAlarm,
  startPurchase,
  stubGateways,
  unrefunded,
} from '../payments-fixture.ts';
import { cardRequest } from '../subscriptions/card-fixture.ts';
import { shownTerms } from './attempt-fixture.ts';

/** A buyer whose clock and gateway stand still except by `later`. */
async function withWallet(wallet: StripeWallet, card?: string, plan = 'monthly_eur') {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'] });
  const fakes = stubGateways();
  const paid = await walletPurchase(fakes.stripe, wallet, card);
  const others = ['braintree'] as const;
  const { stub, purchase } = buyer({ ...paid, plan, others, terms: shownTerms() });
  const attempt = await buy(stub, purchase);
  const { stripe } = fakes;
  const current = async () => (await stub.result(attempt.pollingId)) as AttemptAnswer;
  return {
    ...{ fakes, stripe, stub, purchase, attempt, current },
    /** The payer responds at PayPal, and returns. */
    async answers(outcome: 'authenticated' | 'failed') {
      stripe.challenge(attempt.paymentId ?? '', outcome);
      await startPurchase(stub, { ...purchase, nonce: null, paymentId: attempt.paymentId });
      await runAlarm(stub);
    },
    async later(days: number) {
      vi.setSystemTime(Date.now() + days * dayMs);
      stripe.passTime();
      await stub.sync();
      await runAlarm(stub);
    },
    extra: async (extraPlan: string) =>
      buy(stub, { ...purchase, plan: extraPlan, nonce: null, wallet: null }),
    owned: async () => (await stub.ownedSubscriptions())[0]?.subscription,
  };
}

const amounts = (fakes: ReturnType<typeof stubGateways>) => remainingAmounts(fakes.captured());

test('PayPal: the payer approves on its page, the plan is paid, and it renews off session', async () => {
  const { fakes, stripe, attempt, answers, current, later, owned } = await withWallet('paypal');
  expect(attempt).toMatchObject({ state: 'challenged', wallet: 'paypal' });
  const [intent] = Object.values(stripe.state.payment_intents);
  expect(intent?.next_action?.redirect_to_url?.return_url).toBe('https://funnel.test/checkout');
  await answers('authenticated');
  expect(await current()).toMatchObject({ state: 'active', acceptance: null });
  const [method] = Object.values(stripe.state.payment_methods);
  expect(method).toMatchObject({ customer: expect.any(String), paypal: { country: 'DE' } });
  await later(32);
  expect(amounts(fakes)).toEqual([attempt.amount, attempt.amount]);
  expect(await owned()).toMatchObject({ status: 'active' });
});

test('PayPal: an intro is paid, then renews at the full price', async () => {
  const { fakes, attempt, answers, later } = await withWallet(
    'paypal',
    undefined,
    'monthly_7d_eur',
  );
  await answers('authenticated');
  await later(8);
  expect(amounts(fakes)).toEqual([attempt.amount, expect.any(Number)]);
  expect(amounts(fakes)[1]).toBeGreaterThan(attempt.amount);
});

test('PayPal: a payer who cancels at PayPal sees a message, no payment stays open, and a card can pay', async () => {
  const { fakes, stripe, stub, purchase, answers, current } = await withWallet('paypal');
  await answers('failed');
  expect((await current()).state).toBe('declined');
  const statuses = Object.values(stripe.state.subscriptions).map(({ status }) => status);
  expect(statuses).toEqual(['incomplete_expired']);
  const card = { ...purchase, nonce: 'pm_card_visa', wallet: null };
  expect((await buy(stub, card)).state).toBe('active');
  expect(unrefunded(fakes.captured())).toHaveLength(1);
});

test('PayPal: a buyer who chooses it again before approving gets the same page', async () => {
  const { stripe, stub, purchase, attempt } = await withWallet('paypal');
  const challenged = await buy(stub, { ...purchase, ...(await walletPurchase(stripe, 'paypal')) });
  expect(challenged).toMatchObject({ id: attempt.id, state: 'challenged', secret: attempt.secret });
  expect(Object.keys(stripe.state.payment_intents)).toHaveLength(1);
});

test('PayPal: a payer who leaves its page with the browser’s Back may pay by card', async () => {
  const { fakes, stub, purchase, attempt } = await withWallet('paypal');
  // An attempt cancelled here must not continue at another gateway.
  expect(attempt.others).toEqual([]);
  const card = { ...purchase, nonce: 'pm_card_visa', wallet: null };
  expect((await buy(stub, card)).state).toBe('active');
  expect(unrefunded(fakes.captured())).toHaveLength(1);
});

test.each(['paypal', 'link'] as const)(
  'Stripe wallets: %s: pays an extra and the guide without another approval',
  async (wallet) => {
    const { fakes, answers, extra } = await withWallet(wallet);
    if (wallet === 'paypal') await answers('authenticated');
    const upsell = await extra('upsell_monthly_799_eur');
    expect([upsell, await extra('guide_1799_eur')]).toMatchObject([
      { state: 'active', wallet },
      { state: 'active', wallet },
    ]);
    expect(amounts(fakes)).toHaveLength(3);
  },
);

test('PayPal: an agreement that was cancelled at PayPal fails the renewal, and a new card pays it', async () => {
  const { fakes, stripe, stub, purchase, attempt, answers, later, owned } =
    await withWallet('paypal');
  await answers('authenticated');
  const [method] = Object.values(stripe.state.payment_methods);
  stripe.state.cards[method?.id ?? ''] = 'pm_card_visa_chargeDeclined';
  await later(32);
  expect(await owned()).toMatchObject({ status: 'past_due' });
  expect(await stub.card()).toMatchObject({ card: { brand: 'PayPal', last4: '' } });
  const card = cardRequest(purchase);
  await stub.updateCard(card);
  await runAlarm(stub);
  expect(await stub.cardUpdate(card.key)).toMatchObject({ state: 'done', payment: 'paid' });
  expect(amounts(fakes)).toEqual([attempt.amount, attempt.amount]);
});

test('Link: is charged at once as a method of its own, and renews', async () => {
  const { fakes, stripe, attempt, later, stub } = await withWallet('link');
  expect(attempt).toMatchObject({ state: 'active', wallet: 'link' });
  expect(await stub.card()).toMatchObject({ card: { brand: 'Link' } });
  const [charge] = Object.values(stripe.state.charges);
  expect(charge?.payment_method_details?.type).toBe('link');
  await later(32);
  expect(amounts(fakes)).toEqual([attempt.amount, attempt.amount]);
});

test('Link: a decline of its card leaves nothing at the gateway', async () => {
  const { fakes, stripe, attempt } = await withWallet('link', 'pm_card_visa_chargeDeclined');
  expect(attempt.state).toBe('declined');
  expect(unrefunded(fakes.captured())).toEqual([]);
  expect(Object.values(stripe.state.subscriptions).map(({ status }) => status)).not.toContain(
    'active',
  );
});
