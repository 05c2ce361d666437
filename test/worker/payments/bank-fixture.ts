import { env } from 'cloudflare:test';
import type { BankMethod } from '../../../worker/catalog/rules/bank-methods.ts';
import type { StripeWallet } from '../../../worker/catalog/rules/stripe-wallets.ts';
import type { Purchase } from '../../../worker/payments/attempts/purchase-request.ts';
import type { AttemptAnswer } from '../../../worker/payments/storage/stored-records.ts';
import type { StripeFake } from '../../fakes/stripe/server.ts';
import type { DrivenObject } from './attempts/driven-object.ts';
import { dayMs } from './payments-fixture.ts';

/** docs.stripe.com/payments/sepa-debit/accept-a-payment#test-integration */
export const ibans = {
  pays: 'AT611904300234573201',
  paysLater: 'AT321904300235473204',
  fails: 'AT861904300235473202',
  failsLater: 'AT051904300235473205',
};

/** The request of a buyer who pays a plan in EUR at a bank. */
export async function bankPurchase(
  stripe: StripeFake,
  bank: BankMethod,
  iban = ibans.paysLater,
): Promise<Pick<Purchase, 'nonce' | 'bank' | 'acceptance' | 'plan'>> {
  const details = {
    type: bank,
    'billing_details[name]': 'Test',
    'billing_details[email]': 'visitor@example.com',
    ...(bank === 'sepa_debit' && { 'sepa_debit[iban]': iban }),
  };
  const made = await stripe.fetch('https://api.stripe.com/v1/payment_methods', {
    method: 'POST',
    headers: { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` },
    body: new URLSearchParams(details),
  });
  const { id: nonce } = (await made.json()) as { id: string };
  const returnUrl = 'https://funnel.test/checkout';
  const acceptance = { ip: '192.0.2.1', userAgent: 'test', returnUrl };
  return { nonce, bank, acceptance, plan: 'monthly_eur' };
}

/** The request of a buyer who pays with a wallet of Stripe; `card` is the test card behind Link. */
export async function walletPurchase(
  stripe: StripeFake,
  wallet: StripeWallet,
  card = 'pm_card_visa',
): Promise<Pick<Purchase, 'nonce' | 'wallet' | 'acceptance' | 'plan'>> {
  const [path, details] =
    wallet === 'link'
      ? ['__wallet', { wallet, card, key: 'pk_test_page' }]
      : ['payment_methods', { type: wallet, key: 'pk_test_page' }];
  const made = await stripe.fetch(`https://api.stripe.com/v1/${path}`, {
    method: 'POST',
    body: new URLSearchParams(details as Record<string, string>),
  });
  const { id: nonce } = (await made.json()) as { id: string };
  const returnUrl = 'https://funnel.test/checkout';
  const acceptance = { ip: '192.0.2.1', userAgent: 'test', returnUrl };
  return { nonce, wallet, acceptance, plan: 'monthly_eur' };
}

/** Buys until the outcome is known, whatever calls are lost. @param answer the payer's at the provider's page */
export async function buyWithLostCalls(
  driven: DrivenObject,
  purchase: Purchase,
  answer: (attempt: AttemptAnswer) => void,
) {
  const pollingId = await driven.startPurchase(purchase);
  await driven.passTime(2 * 60_000);
  const attempt = driven.attempt(pollingId);
  if (attempt.state === 'challenged') {
    answer(attempt);
    await driven.startPurchase({ ...purchase, nonce: null, paymentId: attempt.paymentId });
  }
  // A debit is known within three days.
  await driven.passTime(3 * dayMs);
  return driven.attempt(pollingId).state;
}
