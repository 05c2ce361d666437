import { script } from './assets.ts';
import { type Choice, choices } from './browser/sheet-choices.ts';
import type { BraintreeFake } from './server.ts';
import { tokenizeGoogle } from './wallets.ts';

type Vendor = (request: Request) => Promise<Response | null>;

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
export function walletHosts({ state }: BraintreeFake): Record<string, Vendor> {
  async function google(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (pathname === '/gp/p/js/pay.js') return script('pay.js');
    if (pathname !== '/fake/token') return null;
    const { choice } = await request.json();
    return Response.json(tokenizeGoogle({ state }, choice), { headers: open });
  }

  async function agreed(request: Request, token: string): Promise<Response> {
    const agreement = state.agreements[token];
    if (!agreement) return new Response(null, { status: 404, headers: open });
    if (request.method === 'GET') return Response.json(agreement.asked, { headers: open });
    const { choice } = (await request.json()) as { choice: Choice };
    if (choice in choices) agreement.choice = choice;
    return new Response(null, { status: 204, headers: open });
  }

  async function paypal(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    if (pathname === '/sdk/js') return script('sdk.js');
    const [, token] = /^\/fake\/agreements\/([\w-]+)$/.exec(pathname) ?? [];
    return token ? agreed(request, token) : noted();
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
