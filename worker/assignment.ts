import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { App } from './env.ts';
import { type Configuration, type Offer, offerOf } from './funnel/documents.ts';
import { builtInFlows, type Flow } from './funnel/flows.ts';
import { defaultFlowName, defaultType, draw, landingTypeOf, place } from './funnel/split.ts';
import { ConfigStore, type Served } from './storage/config.ts';

/** Which arm and flow a visitor has. */
export interface Assignment {
  configuration: Configuration;
  documents: Served['documents'];
  /** Variant key, `intro/7d`. */
  arm: string;
  landingType: string;
  flowName: string;
  flow: Flow;
  offer: Offer;
  /** Whether the visitor takes part in the experiment at all. */
  counted: boolean;
}

const year = 365 * 24 * 60 * 60;
const store = new ConfigStore();

/** The arm a visitor has, or draws now; null for one who takes no part. */
function armOf(served: Served, uuid: string, cookie: string | undefined): string | null {
  const { experiment, variants } = served.configuration;
  if (!served.live) return null;
  const kept = variants.find(({ key }) => cookie === `${experiment}:${key}`);
  return (kept ?? place(variants, draw(experiment, uuid)))?.key ?? null;
}

/** Puts the visitor's arm, flow and offer into `c.var.assignment`, and keeps the arm in a cookie. */
export const assignment = createMiddleware<App>(async (c, next) => {
  const served = await store.current({
    kv: c.env.FUNNEL,
    log: c.var.log,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    maxAge: Number(c.env.CONFIG_SECONDS ?? 30) * 1000,
  });
  const { configuration, documents } = served;
  const { uuid, query, market } = c.var.visitor;
  const cookie = getCookie(c, 'arm');
  const drawn = query.skip_split === 'true' ? null : armOf(served, uuid, cookie);
  const arm = drawn ?? defaultType;
  const variant = configuration.variants.find(({ key }) => key === drawn);
  const flowName = variant?.flow ?? defaultFlowName;
  c.set('assignment', {
    configuration,
    documents,
    arm,
    landingType: landingTypeOf(arm),
    flowName,
    flow: configuration.flows.get(flowName) ?? (builtInFlows.default as Flow),
    offer: offerOf(configuration, arm),
    counted: drawn !== null,
  });
  await next();
  const value = `${configuration.experiment}:${drawn}`;
  if (drawn === null || cookie === value || market.consent) return;
  setCookie(c, 'arm', value, {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: year,
  });
});
