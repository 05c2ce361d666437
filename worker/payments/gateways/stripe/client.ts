import Stripe from 'stripe';
import type { Env } from '../../../env.ts';

/** Each call may take so many ms, and is repeated twice when its reply is lost. */
const timeout = 10_000;
const maxNetworkRetries = 2;

/**
 * The id that a path names: what follows a collection, which may lie in the namespace `product_catalog`.
 * A saved method may be named by another of its names.
 */
const named = /\/v1\/(?:product_catalog\/)?(?!(?:product_catalog|payment_methods)\/)\w+\/(\w+_\w+)/;

/**
 * One call of the official client. An answer about another object than the one that was asked for is no
 * answer: the money may have moved all the same, so that nothing may be concluded from it.
 *
 * @throws TypeError for such an answer; fetch's own errors
 */
export async function callStripe(address: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  const [, asked] = named.exec(new URL(address).pathname) ?? [];
  if (!asked || !response.ok) return response;
  const told: unknown = await response.clone().json();
  const same = typeof told === 'object' && told !== null && 'id' in told && told.id === asked;
  if (!same) throw new TypeError('an answer about something else');
  return response;
}

declare const checked: unique symbol;

/** The official client as the Worker uses it; a type of its own, so that no test can use another. */
export type StripeClient = Stripe & { readonly [checked]: true };

/** The official client, with our time limit, over the runtime's fetch, its answers checked. */
export function stripeClient({ STRIPE_SECRET_KEY }: Pick<Env, 'STRIPE_SECRET_KEY'>): StripeClient {
  return new Stripe(STRIPE_SECRET_KEY ?? '', {
    httpClient: Stripe.createFetchHttpClient((input, init) => callStripe(input as string, init)),
    timeout,
    maxNetworkRetries,
  }) as StripeClient;
}
