import Stripe from 'stripe';
import type { Env } from '../../../platform/env.ts';
import { fieldsIn, jsonOf } from '../../../platform/read-json.ts';
import type { CalledStripe } from './called-resources.ts';

const normalTimeouts = { timeout: 10_000, maxNetworkRetries: 2 };
/** Used while another gateway could take the payment. The attempt repeats its own steps. */
const failoverTimeouts = { timeout: 5_000, maxNetworkRetries: 1 };
/** A bank can be slow, and a timed-out confirmation would have to be looked up anyway. */
export const onceWithFullTimeout = { timeout: normalTimeouts.timeout, maxNetworkRetries: 0 };

const idInPath =
  /\/v1\/(?:product_catalog\/)?(?!(?:product_catalog|payment_methods|radar)\/)\w+\/(?!create_preview)(\w+_\w+)/;

/**
 * The official client's fetch. The client takes any body without `error` for the object, whatever the status.
 * @throws TypeError for such a body, and for a response about another object, although money may have moved
 */
export async function fetchStripe(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const [, requested] = idInPath.exec(new URL(url).pathname) ?? [];
  if (response.ok && !requested) return response;
  const { id, error } = fieldsIn(await jsonOf(response.clone()));
  if (!response.ok && !error) throw new TypeError('a refusal without its error');
  if (response.ok && id !== requested) throw new TypeError('the answer is about another object');
  return response;
}

/** Of a reference, which Stripe returns as an id or as the object. */
export const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

const withSignal = (...signals: (AbortSignal | null | undefined)[]) => ({
  signal: AbortSignal.any(signals.filter((one) => !!one)),
});

declare const checked: unique symbol;

/** The official client with the fetch above. Branded, so that tests cannot pass a plain client. */
export type StripeClient = CalledStripe & { readonly [checked]: true };

/** @param signal see `gatewayOf` */
export function stripeClient(
  { STRIPE_SECRET_KEY }: Pick<Env, 'STRIPE_SECRET_KEY'>,
  signal?: AbortSignal,
): StripeClient {
  const client: CalledStripe = new Stripe(STRIPE_SECRET_KEY ?? '', {
    httpClient: Stripe.createFetchHttpClient(async (input, init) => {
      signal?.throwIfAborted();
      return fetchStripe(input instanceof Request ? input.url : input, {
        ...init,
        ...withSignal(init?.signal, signal),
      });
    }),
    ...(signal ? failoverTimeouts : normalTimeouts),
  });
  return client as StripeClient;
}
