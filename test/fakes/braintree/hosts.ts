import { type Choice, choices } from '../browser/wallet-sheet.ts';
import { braintreeWeb, frameAsset, page, script } from './assets.ts';
import type { BraintreeFake } from './server.ts';
import { tokenizeGoogle } from './vault.ts';

const field = async (request: Request, name: string) =>
  String((await request.formData()).get(name) ?? '');
/**
 * The hosts of Cardinal and of a bank. The script has had this host in the sandbox since braintree-web 3.121
 * (github.com/braintree/braintree-web-drop-in/issues/977); live it is static.client.cardinaltrusted.com.
 */
function bankHosts({ state }: BraintreeFake): Record<string, Vendor> {
  async function cardinal(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/Init')) {
      return Response.json({ sessionId: crypto.randomUUID() }, { headers: open });
    }
    if (!pathname.endsWith('/TermURL/Overlay/CCA')) return frameAsset(request);
    const outcome = state.lookups[await field(request, 'transaction')]?.outcome ?? '';
    return page('Cardinal', 'term-page', { outcome });
  }

  async function bank(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (request.method !== 'POST') return frameAsset(request);
    if (pathname === '/method') return page('3DS Method', 'term-page', {});
    if (pathname === '/challenge') {
      return page('3D Secure', 'bank-page', { transaction: await field(request, 'creq') });
    }
    const { transaction, outcome } = await request.json();
    const lookup = state.lookups[transaction];
    if (!lookup) return new Response(null, { status: 404 });
    lookup.outcome = outcome;
    return new Response(null, { status: 204 });
  }

  return {
    'cas.static.client.cardinaltrusted.com': frameAsset,
    'cas.client.cardinaltrusted.com': cardinal,
    'acs.bank.example': bank,
  };
}

const open = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
};
/** The hosts of braintree-web's analytics and of its older frames. */
const noted = async () => new Response(null, { status: 204, headers: open });
const blank = async () =>
  new Response('<!doctype html><title>PayPal</title>', {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
/** The hosts of PayPal, Google Pay and PayPal's device data. */
function walletHosts({ state }: BraintreeFake): Record<string, Vendor> {
  async function google(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (pathname === '/gp/p/js/pay.js') return script('pay.js');
    if (pathname !== '/fake/token') return null;
    const { choice } = await request.json();
    return Response.json(tokenizeGoogle({ state }, choice), { headers: open });
  }

  async function approveAgreement(request: Request, token: string): Promise<Response> {
    const agreement = state.agreements[token];
    if (!agreement) return new Response(null, { status: 404, headers: open });
    if (request.method === 'GET') return Response.json(agreement.requested, { headers: open });
    const { choice } = (await request.json()) as { choice: Choice };
    if (choice in choices) agreement.choice = choice;
    return new Response(null, { status: 204, headers: open });
  }

  async function paypal(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (pathname === '/sdk/js') return script('sdk.js');
    const [, token] = /^\/fake\/agreements\/([\w-]+)$/.exec(pathname) ?? [];
    return token ? approveAgreement(request, token) : noted();
  }

  return {
    'pay.google.com': google,
    'www.paypal.com': paypal,
    'checkout.paypal.com': blank,
    'c.paypal.com': async (request) =>
      new URL(request.url).pathname.endsWith('/fb.js') ? script('fb.js') : noted(),
    'b.stats.paypal.com': noted,
  };
}

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
