import { braintreeWeb, frameAsset } from './assets.ts';
import type { BraintreeFake } from './server.ts';
import { walletHosts } from './wallet-hosts.ts';

type Vendor = (request: Request) => Promise<Response | null>;

/** Where Braintree, its scripts, card frames, bank and reports live; each answered by the fake. */
export function braintreeHosts(fake: BraintreeFake): Record<string, Vendor> {
  async function bank(request: Request): Promise<Response | null> {
    if (request.method !== 'POST') return frameAsset(request);
    const { transaction, outcome } = await request.json();
    const lookup = fake.state.lookups[transaction];
    if (!lookup) return new Response(null, { status: 404 });
    lookup.outcome = outcome;
    return new Response(null, { status: 204 });
  }
  return {
    'api.sandbox.braintreegateway.com': fake.fetch,
    'payments.sandbox.braintree-api.com': fake.fetch,
    'js.braintreegateway.com': braintreeWeb,
    'assets.braintreegateway.com': frameAsset,
    'songbirdstag.cardinalcommerce.com': frameAsset,
    'merchantacsstag.cardinalcommerce.com': bank,
    ...walletHosts(fake),
  };
}
