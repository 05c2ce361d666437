import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import { type BraintreeOptions, createBraintree } from '../../../fakes/braintree/server.ts';
import { type Faults, withFaults } from '../../../fakes/faults.ts';
import { seedProduct } from '../../../fakes/stripe/catalog.ts';
import { createStripe, type StripeOptions } from '../../../fakes/stripe/server.ts';
import { type Taken, takenAtBraintree, takenAtStripe } from './captured-amounts.ts';
import { auditBank } from './ledger-assertions.ts';

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

interface Options
  extends Pick<BraintreeOptions, 'cycleOf' | 'searchLag'>,
    Pick<StripeOptions, 'unpaidTrialStatus'> {
  faults?: Faults;
  /** What lies between the Worker and both banks. */
  line?: (next: Fetch) => Fetch;
  now?: () => number;
}

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
