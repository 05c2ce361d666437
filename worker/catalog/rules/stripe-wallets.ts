import type { Minor } from '../../platform/types.ts';
import { type Currency, smallestCharge } from './currencies.ts';
import type { Plan } from './plans.ts';

/** Stripe's wallets with a payment method of their own; Apple Pay and Google Pay return a card. */
export const stripeWallets = ['link', 'paypal'] as const;
export type StripeWallet = (typeof stripeWallets)[number];

/**
 * Paid at the wallet's own page, and attached to the customer only by the payment itself
 * (docs.stripe.com/billing/subscriptions/paypal, docs.stripe.com/payments/paypal/accept-a-payment).
 */
export const isRedirectWallet = (wallet: StripeWallet | null): boolean => wallet === 'paypal';

/** docs.stripe.com/payments/paypal/accept-a-payment: businesses in the EEA, Switzerland and the United Kingdom. */
const payPalBusinesses = new Set(
  (
    'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE ' +
    'SI SK'
  ).split(' '),
);

/** docs.stripe.com/payments/paypal/accept-a-payment */
const payPalCurrencies: ReadonlySet<Currency> = new Set([
  ...(['EUR', 'GBP', 'USD', 'CHF', 'CZK', 'DKK', 'NOK'] as const),
  ...(['PLN', 'SEK', 'AUD', 'CAD', 'HKD', 'NZD', 'SGD'] as const),
]);

interface Payment {
  enabled: readonly StripeWallet[];
  /** Countries of the business and of the buyer, ISO 3166 alpha-2. */
  merchantCountry: string;
  country: string;
  plan: Pick<Plan, 'currency' | 'period'>;
  /** Charged today, minor units. */
  amount: Minor;
}

export function stripeWalletsFor(payment: Payment): StripeWallet[] {
  const { enabled, merchantCountry, country, plan, amount } = payment;
  const isOffered: Record<StripeWallet, boolean> = {
    // docs.stripe.com/payments/wallets/link: businesses and buyers everywhere but in India, any currency.
    link: merchantCountry !== 'IN' && country !== 'IN',
    paypal:
      payPalBusinesses.has(merchantCountry) &&
      payPalCurrencies.has(plan.currency) &&
      amount >= smallestCharge(plan.currency),
  };
  if (plan.period === 'once') return [];
  return stripeWallets.filter((wallet) => enabled.includes(wallet) && isOffered[wallet]);
}
