import Stripe from 'stripe';
import type { Env } from '../../../env.ts';

const timeoutMs = 10_000;
const maxNetworkRetries = 2;

const idInPath =
  /\/v1\/(?:product_catalog\/)?(?!(?:product_catalog|payment_methods)\/)\w+\/(\w+_\w+)/;

/**
 * The fetch of the official client. @throws TypeError for an answer about another object: money may have
 * moved all the same
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
