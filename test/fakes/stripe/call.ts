import type { Stripe } from 'stripe';
import { Refused } from './errors.ts';
import type { Params } from './form.ts';
import type { StripeState } from './state.ts';

/** One request on its way through a handler. */
export interface Call {
  /** The `:id` of the path, empty when the path has none. */
  id: string;
  params: Params;
  state: StripeState;
  /** Unix seconds. */
  now: number;
  /** Sent with a publishable key, from the browser. */
  browser: boolean;
  settings: Settings;
  /** Records an event about the object as it is now. */
  emit(type: Stripe.Event.Type, object: object): void;
}

export interface Settings {
  /**
   * Status of an unpaid subscription that has a trial and a first invoice above zero. The reference
   * says that `default_incomplete` makes it `incomplete` "when the first invoice requires payment",
   * and that a subscription in its trial is `trialing`; which of the two wins is not documented, so
   * an adapter must be right under both.
   */
  unpaidTrialStatus: 'incomplete' | 'trialing';
  /**
   * Days between a failed renewal and its next try; after the last one the subscription is canceled.
   * "The recommended default is 8 tries within 2 weeks."
   * https://docs.stripe.com/billing/revenue-recovery/smart-retries
   */
  retryDays: number[];
  /**
   * What a subscription becomes after the last try, as the account's settings say: "canceled or unpaid
   * (depending on your subscriptions settings)". An unpaid one stays, and nothing of it is collected.
   * https://docs.stripe.com/api/subscriptions/object#subscription_object-status
   */
  afterRetries: 'canceled' | 'unpaid';
}

export type Context = Pick<Call, 'state' | 'now' | 'emit' | 'settings'>;

export type Handler = (call: Call) => object;

/** Refuses a parameter that Stripe accepts and this fake does not implement. */
export function only(params: Params, names: string[], where: string): void {
  const left = Object.keys(params).filter((name) => name !== 'expand' && !names.includes(name));
  if (left.length === 0) return;
  throw new Refused(501, {
    type: 'api_error',
    message: `test/fakes/stripe does not implement ${left.join(', ')} of ${where}`,
  });
}
