import type { Minor } from '../../platform/types.ts';
import { marketOf } from './markets.ts';
import type { Plan } from './plans.ts';

/**
 * Stripe's methods that lead to SEPA debits: the debit itself, and two bank redirects that pay first and save the
 * account for later debits (docs.stripe.com/billing/subscriptions/sepa-debit, /ideal, /bancontact).
 */
export const bankMethods = ['sepa_debit', 'ideal', 'bancontact'] as const;
export type BankMethod = (typeof bankMethods)[number];

/** Paid on the bank's page. Such a method is used once and cannot be attached to a customer. */
export const isRedirect = (method: BankMethod | null): boolean =>
  method === 'ideal' || method === 'bancontact';

/** docs.stripe.com/payments/ideal, docs.stripe.com/payments/bancontact: the buyer's country. */
const homeOf: Partial<Record<BankMethod, string>> = { ideal: 'NL', bancontact: 'BE' };

/** docs.stripe.com/currencies#minimum-and-maximum-charge-amounts: EUR, in cents. */
const minAmount = 50;

interface Payment {
  enabled: readonly BankMethod[];
  country: string;
  plan: Pick<Plan, 'currency' | 'period' | 'introDays'>;
  /** Charged today, minor units. */
  amount: Minor;
}

/** The bank methods that a payment may use, in the order of the page. */
export function bankMethodsFor({ enabled, country, plan, amount }: Payment): BankMethod[] {
  const isSepa = marketOf(country).id === 'euro' && plan.currency === 'EUR';
  if (!isSepa || plan.period === 'once' || amount < minAmount) return [];
  return bankMethods.filter((method) => {
    const home = homeOf[method] ?? country;
    // A debit takes up to 14 business days to be confirmed: an intro would renew before that.
    const isSlow = method === 'sepa_debit' && plan.introDays !== 0;
    return enabled.includes(method) && home === country && !isSlow;
  });
}
