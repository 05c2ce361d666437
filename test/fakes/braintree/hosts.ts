import { braintreeWeb, frameAsset } from './assets.ts';
import type { BraintreeFake } from './server.ts';

type Vendor = (request: Request) => Promise<Response | null>;

const noted = async () =>
  new Response(null, {
    status: 204,
    headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
  });

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
    // Where braintree-web reports its events.
    'www.paypal.com': noted,
  };
}
