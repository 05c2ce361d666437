import { frameAsset, page } from './assets.ts';
import type { BraintreeFake } from './server.ts';

type Vendor = (request: Request) => Promise<Response | null>;

const field = async (request: Request, name: string) =>
  String((await request.formData()).get(name) ?? '');
const open = { 'access-control-allow-origin': '*' };

/**
 * Cardinal's hosts and a bank's. The script is where the sandbox has it since braintree-web 3.121
 * (github.com/braintree/braintree-web-drop-in/issues/977); live it is static.client.cardinaltrusted.com.
 */
export function bankHosts({ state }: BraintreeFake): Record<string, Vendor> {
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
