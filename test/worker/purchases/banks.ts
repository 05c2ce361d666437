import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import type { GatewayName } from '../../../worker/funnel/purchase.ts';
import { type BraintreeOptions, createBraintree } from '../../fakes/braintree/server.ts';
import { type Faults, withFaults } from '../../fakes/faults.ts';
import { seedProduct } from '../../fakes/stripe/catalog.ts';
import { createStripe, type StripeOptions } from '../../fakes/stripe/server.ts';
import { auditBank, type Taken, takenAtBraintree, takenAtStripe } from './books.ts';

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

interface Options
  extends Pick<BraintreeOptions, 'cycleOf'>,
    Pick<StripeOptions, 'unpaidTrialStatus'> {
  faults?: Faults;
  /** What lies between the Worker and both banks. */
  line?: (next: Fetch) => Fetch;
  now?: () => number;
}

/** Nonces that both banks approve. */
export const approved: Record<GatewayName, string> = {
  stripe: 'pm_card_visa',
  braintree: 'fake-valid-nonce',
};

/** Nonces that both banks take, and decline when they are charged. */
export const declining: Record<GatewayName, string> = {
  stripe: 'pm_card_chargeCustomerFail',
  braintree: 'fake-processor-declined-visa-nonce',
};

/** Both providers behind the Worker's fetch, told apart by their hosts. */
export function openBanks({ faults, line = (next) => next, now, ...options }: Options = {}) {
  const { unpaidTrialStatus, ...braintreeOnly } = options;
  const stripe = createStripe({ now, unpaidTrialStatus });
  const braintree = createBraintree({ now, ...braintreeOnly });
  seedProduct(env.STRIPE_PRODUCT, 'Funnel', stripe.state);
  const route: Fetch = (input, init) => {
    const request = new Request(input, init);
    const { hostname } = new URL(request.url);
    return hostname.endsWith('stripe.com') ? stripe.fetch(request) : braintree.fetch(request);
  };
  vi.stubGlobal('fetch', line(faults ? withFaults(route, faults) : route));
  const taken = () => [...takenAtStripe(stripe), ...takenAtBraintree(braintree)];
  auditBank(taken);
  return { stripe, braintree, taken };
}

/** What is left of all that attempts took. */
export const kept = (taken: readonly Taken[]) => taken.filter((one) => one.refunded < one.amount);
