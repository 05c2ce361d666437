import type { BraintreeFake } from './server.ts';

type Vendor = (request: Request) => Promise<Response | null>;

/** Where Braintree, its card frames, its bank and its reports live; each answered by the fake. */
export function braintreeHosts(fake: BraintreeFake): Record<string, Vendor> {
  return {
    'api.sandbox.braintreegateway.com': fake.fetch,
    'payments.sandbox.braintree-api.com': fake.fetch,
  };
}
