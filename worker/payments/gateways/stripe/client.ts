import Stripe from 'stripe';
import type { Env } from '../../../env.ts';

/** Of each try. */
const timeoutMs = 10_000;
const maxNetworkRetries = 2;

/**
 * The object id in a path: after the collection, which may be in the namespace `product_catalog`.
 * Payment methods are left out, as they have aliases such as `pm_card_visa`.
 */
const idInPath =
  /\/v1\/(?:product_catalog\/)?(?!(?:product_catalog|payment_methods)\/)\w+\/(\w+_\w+)/;

/**
 * The fetch of the official client. It rejects an answer about another object than the requested one:
 * money may have moved all the same, so nothing may be concluded from it.
 *
 * @throws TypeError for such an answer; fetch's own errors
 */
export async function fetchStripe(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const [, requested] = idInPath.exec(new URL(url).pathname) ?? [];
  if (!requested || !response.ok) return response;
  const body: unknown = await response.clone().json();
  const matches =
    typeof body === 'object' && body !== null && 'id' in body && body.id === requested;
  if (!matches) throw new TypeError('the answer is about another object');
  return response;
}

declare const checked: unique symbol;

/** The official client with the fetch above. Branded, so that tests cannot pass a plain client. */
export type StripeClient = Stripe & { readonly [checked]: true };

export function stripeClient({ STRIPE_SECRET_KEY }: Pick<Env, 'STRIPE_SECRET_KEY'>): StripeClient {
  return new Stripe(STRIPE_SECRET_KEY ?? '', {
    httpClient: Stripe.createFetchHttpClient((input, init) => fetchStripe(input as string, init)),
    timeout: timeoutMs,
    maxNetworkRetries,
  }) as StripeClient;
}
