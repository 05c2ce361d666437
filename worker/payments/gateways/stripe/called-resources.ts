import type Stripe from 'stripe';

/** The build leaves out all other parts of Stripe's API, and the types refuse a call of them. */
export const calledResources = {
  balanceTransactions: 'all',
  charges: 'all',
  coupons: 'all',
  customers: 'all',
  disputes: 'all',
  events: 'all',
  invoices: 'all',
  paymentIntents: 'all',
  paymentMethods: 'all',
  payouts: 'all',
  prices: 'all',
  productCatalog: ['trialOffers'],
  radar: ['earlyFraudWarnings'],
  refunds: 'all',
  setupIntents: 'all',
  subscriptionSchedules: 'all',
  subscriptions: 'all',
  tax: ['calculations'],
} as const;

type CalledResources = typeof calledResources;

export type CalledStripe = {
  readonly [Name in keyof CalledResources]: CalledResources[Name] extends readonly (infer Part)[]
    ? Pick<Stripe[Name], Part & keyof Stripe[Name]>
    : Stripe[Name];
};
