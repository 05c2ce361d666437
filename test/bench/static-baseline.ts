import { setTimeout } from 'node:timers/promises';
import { developmentVars } from '../../scripts/development-vars.ts';
import { migrate } from '../../scripts/migrate.ts';
import { serve } from '../../scripts/serve.ts';
import type { ScreenId } from '../../worker/experiments/rules/flows.ts';
import { createFakes, type Fakes } from '../fakes/index.ts';
import { bestCompression, shrink } from './compression-proxy.ts';

export interface BenchSite {
  /** Origin of the compressed site. */
  origin: string;
  fakes: Fakes;
  /** Makes a screen the first one of every visitor's flow, and creates the flow's baselines again. */
  lead(landing: ScreenId): Promise<void>;
  /** Creates an account, whose state comes with every document from now on, as after a form without scripts. */
  signUp(): Promise<void>;
  close(): Promise<void>;
}

/** Path of a page's baseline. */
export const baselinePath = (screen: string): string => `/fakes/baseline/${screen}`;

/**
 * The same page as a static file: the visible content, without scripts and the data for them; its forms lead to the
 * next page like links.
 * @param next the next page's screen
 */
function baselineOf(html: string, next: string): string {
  return html
    .replace(/<script[^>]*><\/script>/g, '')
    .replaceAll(/(<x-island) [^>]*>/g, '$1>')
    .replaceAll(/<form [^>]*method="post"[^>]*>/g, (form) =>
      form.includes('"/language"')
        ? form
        : form
            .replace(/ action="[^"]*"/, '')
            .replace('method="post"', `action="${baselinePath(next)}" method="get" novalidate`),
    )
    .replaceAll(`href="/${next}"`, `href="${baselinePath(next)}"`);
}

/** Headers not sent with a static file; all others are the page's. */
const personal = ['set-cookie', 'server-timing', 'transfer-encoding'];

/** The screens of the chosen flow after its landing. */
export const stepsAfterLanding = [
  'searching',
  'signup',
  'checkout_v3_tr',
  'upsell_an_private',
  'success',
] as const satisfies ScreenId[];

/** A flow that begins with a landing, and the configuration that gives it to every visitor. */
const landingFirst = (landing: ScreenId) => {
  const flow: ScreenId[] = [landing, ...stepsAfterLanding];
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'led' }];
  return { flow, config: { experiment: landing, variants }, flows: { flows: { led: flow } } };
};

/**
 * The built funnel behind a compressing proxy and, from the same runtime through the same proxy, the baselines of
 * its chosen flow.
 * @param vars variables that replace those of development
 */
export async function openBenchSite(
  vars: Record<string, string> = {},
  transport = bestCompression,
): Promise<BenchSite> {
  const fakes = createFakes();
  const baselines = new Map<string, { html: string; headers: Headers }>();
  const server = serve({
    port: 0,
    vars: { ...developmentVars, ...vars },
    onLog: () => {},
    outside: async (request) => {
      const baseline = baselines.get(new URL(request.url).pathname);
      return baseline ? new Response(baseline.html, baseline) : fakes.fetch(request);
    },
  });
  const { origin } = await server.ready;
  await migrate(server);
  const kv = await server.getKVNamespace('FUNNEL', 'funnel');
  const lead = async (landing: ScreenId) => {
    const { flow, config, flows } = landingFirst(landing);
    await kv.put('flows.json', JSON.stringify(flows));
    await kv.put('config.json', JSON.stringify(config));
    for (let served = ''; served !== landing; await setTimeout(100)) {
      const response = await fetch(`${origin}/config.json`);
      served = ((await response.json()) as typeof config).experiment;
    }
    for (const [at, screen] of flow.entries()) {
      const page = await fetch(`${origin}/${screen}`);
      const headers = new Headers(page.headers);
      for (const name of personal) headers.delete(name);
      const html = baselineOf(await page.text(), flow[at + 1] ?? landing);
      baselines.set(baselinePath(screen), { html, headers });
    }
  };
  const given: string[] = [];
  const proxy = await shrink(origin, given, transport);
  return {
    origin: proxy.origin,
    fakes,
    lead,
    async signUp() {
      const body = new URLSearchParams({ email: 'visitor@example.com' });
      const headers = { origin, 'sec-fetch-site': 'same-origin' };
      const form = { method: 'POST', headers, body, redirect: 'manual' } as const;
      const cookies = (await fetch(`${origin}/signup`, form)).headers.getSetCookie();
      given.push(...cookies.filter((cookie) => cookie.startsWith('carry=')));
    },
    async close() {
      proxy.close();
      await server.dispose();
    },
  };
}
