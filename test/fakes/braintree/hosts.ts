import { braintreeWeb, frameAsset } from './assets.ts';
import { bankHosts } from './bank.ts';
import type { BraintreeFake } from './server.ts';
import { walletHosts } from './wallet-hosts.ts';

type Vendor = (request: Request) => Promise<Response | null>;

/** The hosts of Braintree's APIs, scripts, card frames, bank pages and reports. */
export function braintreeHosts(fake: BraintreeFake): Record<string, Vendor> {
  return {
    'api.sandbox.braintreegateway.com': fake.fetch,
    'payments.sandbox.braintree-api.com': fake.fetch,
    'js.braintreegateway.com': braintreeWeb,
    'assets.braintreegateway.com': frameAsset,
    ...bankHosts(fake),
    ...walletHosts(fake),
  };
}
