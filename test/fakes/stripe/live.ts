import { Stripe } from 'stripe';
import type { Env } from '../../../worker/env.ts';
import { createStripe } from './server.ts';

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** A Stripe, our variables for it, and its official client. */
export interface Target {
  env: Env;
  stripe: Stripe;
  /** Where our own calls go. */
  fetch: Fetch;
}

const { LIVE, STRIPE_LIVE_SECRET_KEY: key = '' } = process.env;

/** Why the real Stripe is not asked; null when it is: `npm run test:full -- --live` with a test key. */
export const notLive: string | null = !LIVE
  ? 'not run with --live'
  : !key
    ? 'STRIPE_LIVE_SECRET_KEY is not set'
    : /^[rs]k_test_/.test(key)
      ? null
      : 'STRIPE_LIVE_SECRET_KEY is no test key';

async function target(secret: string, fetch: Fetch): Promise<Target> {
  const httpClient = Stripe.createFetchHttpClient(fetch);
  const stripe = new Stripe(secret, { httpClient, telemetry: false });
  const { id } = await stripe.products.create({ name: 'Contract' });
  return { env: { STRIPE_SECRET_KEY: secret, STRIPE_PRODUCT: id } as Env, stripe, fetch };
}

export const fakeTarget = () => target('sk_test_contract', createStripe().fetch);

/** Stripe's own test mode. */
export const liveTarget = () => target(key, globalThis.fetch);
