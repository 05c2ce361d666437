import type { PaymentMethod, StripeElementsOptionsMode, StripeError } from '@stripe/stripe-js';
import { request } from './api.ts';
import type { Wallet } from './express-messages.ts';
import type { Origins } from './script-origin.ts';

interface Options {
  mode?: StripeElementsOptionsMode['mode'];
  /** Minor units. */
  amount?: number;
  currency?: string;
  paymentMethodCreation?: string;
}

/** What the elements of one `stripe.elements()` share. */
export interface Group {
  options: Options;
  /** What the customer chose in a wallet's sheet. */
  chosen?: { wallet: Wallet; card: string };
  /** `elements.submit()` was called since. */
  submitted: boolean;
}

const wrong = (message: string) => new Error(`IntegrationError: ${message}`);

/** The options of `stripe.elements()` as Stripe.js checks them. */
export function groupOf(options: object = {}): Group {
  const given: Options = { ...options };
  const priced = given.mode === 'payment' || given.mode === 'subscription';
  if (given.mode !== undefined && !priced && given.mode !== 'setup') {
    throw wrong(`mode must be payment, setup or subscription, not ${given.mode}.`);
  }
  if (priced) {
    const least = given.mode === 'subscription' ? 0 : 1;
    if (!Number.isInteger(given.amount) || (given.amount ?? 0) < least) {
      throw wrong('amount must be a positive integer in the smallest currency unit.');
    }
    if (!/^[a-z]{3}$/.test(given.currency ?? '')) {
      throw wrong('currency must be a three-letter ISO code in lower case.');
    }
  }
  return { options: given, submitted: false };
}

const groups = new WeakMap<object, Group>();

/** Remembers whose elements these are, for `createPaymentMethod({ elements })`. */
export const remember = (elements: object, group: Group) => void groups.set(elements, group);

/** The payment method of the wallet that the customer has just paid with. */
export async function walletMethod(
  elements: object,
  key: string,
  { api }: Origins,
): Promise<{ paymentMethod: PaymentMethod } | { error: StripeError }> {
  const group = groups.get(elements);
  if (!group) throw wrong('elements must come from stripe.elements().');
  if (group.options.paymentMethodCreation !== 'manual') {
    throw wrong('createPaymentMethod() with elements needs paymentMethodCreation: "manual".');
  }
  if (!group.submitted)
    throw wrong('elements.submit() must be called before createPaymentMethod().');
  group.submitted = false;
  if (!group.chosen) {
    const message = 'Please choose a payment method.';
    return { error: { type: 'validation_error', code: 'incomplete', message } };
  }
  const made = await request(api, key, 'POST', '/__wallet', {
    ...group.chosen,
    email: 'payer@example.com',
  });
  return made.error ? made : { paymentMethod: made.object as PaymentMethod };
}
