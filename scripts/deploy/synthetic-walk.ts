import { builtInFlows, type Flow } from '../../worker/experiments/rules/flows.ts';
import type { Check } from '../../worker/monitoring/rules/walks.ts';

interface Walk {
  site: string;
  worker: string;
  version: string;
  /** `ADMIN_TOKEN`, for the Worker's own synthetic visitor. */
  token: string;
  send?: typeof fetch;
}

/** Without a language the visit counts as a bot's, and appears in no figures. */
const agent = 'funnel-rollout-bot';

class Failure extends Error {}

const addresses = (html: string) => [
  ...new Set([...html.matchAll(/\bsrc="(\/static\/[^"]+)"/g)].map(([, path = '']) => path)),
];

/**
 * Opens each screen of the default flow up to the payment form, with its scripts, in one version. A version of the
 * current deployment can be selected by this header even at 0 % (developers.cloudflare.com/workers,
 * version-overrides). @returns what failed; null if nothing did
 */
export async function walkVersion({ site, worker, version, token, send = fetch }: Walk) {
  const headers = {
    'user-agent': agent,
    'Cloudflare-Workers-Version-Overrides': `${worker}="${version}"`,
  };
  async function open(path: string): Promise<Response> {
    const response = await send(new URL(path, site), { headers }).catch((cause) => {
      throw new Failure(`${path} did not answer`, { cause });
    });
    if (!response.ok) throw new Failure(`${path} answered ${response.status}`);
    return response;
  }
  async function openScreen(screen: string, opened: Set<string>) {
    const html = await (await open(`/${screen}`)).text();
    if (!html.includes(`data-screen="${screen}"`))
      throw new Failure(`/${screen} shows another screen`);
    for (const path of addresses(html).filter((each) => !opened.has(each))) {
      await (await open(path)).arrayBuffer();
      opened.add(path);
    }
  }
  /** In every market, with each provider, up to the payment form. */
  async function checkInside() {
    const response = await send(new URL('/admin/monitoring/check', site), {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ buy: false }),
    }).catch((cause) => {
      throw new Failure('the synthetic visitor did not answer', { cause });
    });
    if (!response.ok) throw new Failure(`the synthetic visitor did not start: ${response.status}`);
    const { data }: { data: { checks: Check[] } } = await response.json();
    const failed = data.checks.find(({ ok }) => !ok);
    if (!failed) return;
    const { market, gateway, step, reason } = failed;
    throw new Failure(`${step} in market ${market} with ${gateway}: ${reason}`);
  }
  try {
    const health: { version?: string } = await (await open('/healthz')).json();
    if (health.version !== version) throw new Failure(`version ${health.version} answered instead`);
    const flow: Flow = builtInFlows.default;
    const last = flow.findIndex((screen) => screen.startsWith('checkout'));
    const opened = new Set<string>();
    for (const screen of flow.slice(0, last + 1)) await openScreen(screen, opened);
    await checkInside();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
