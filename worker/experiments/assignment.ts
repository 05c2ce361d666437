import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { type App, type Env, isProduction } from '../env.ts';
import { armCookie, armFromCookie, cookieNamesArm, setArmCookie } from './arm-cookie.ts';
import { ConfigStore, type ServedConfig } from './config-store.ts';
import { countsAsExposure, recordExposure } from './exposure.ts';
import { type Configuration, type Offer, offerOf } from './rules/config-documents.ts';
import { builtInFlows, type Flow } from './rules/flows.ts';
import {
  bucketOf,
  defaultFlowName,
  defaultType,
  landingTypeOf,
  pickVariant,
} from './rules/split.ts';

/** Which arm and flow a visitor has. */
export interface Assignment {
  configuration: Configuration;
  published: ServedConfig['published'];
  /** Variant key, `intro/7d`. */
  arm: string;
  landingType: string;
  flowName: string;
  flow: Flow;
  offer: Offer;
  /** The experiment that the visitor takes part in; null for one who is not counted. */
  experiment: string | null;
}

export interface AssignmentVariables {
  assignment: Assignment;
}

/** The arm a visitor has, or draws now; null for one who takes no part. */
function armOf(
  env: Env,
  served: ServedConfig,
  uuid: string,
  cookie: string | undefined,
): string | null {
  const { experiment, variants } = served.configuration;
  if (!served.live) return null;
  const kept = armFromCookie(env, experiment, variants, cookie);
  return (kept ?? pickVariant(variants, bucketOf(experiment, uuid)))?.key ?? null;
}

/**
 * Puts the visitor's arm, flow and offer into `c.var.assignment`. The first screen that shows the arm
 * is counted, and keeps it in a cookie.
 */
export const assignmentFrom = (store: ConfigStore) =>
  createMiddleware<App>(async (c, next) => {
    const served = await store.current({
      kv: c.env.FUNNEL,
      log: c.get('log'),
      waitUntil: (promise) => c.executionCtx.waitUntil(promise),
      production: isProduction(c.env),
      maxAgeMs: Number(c.env.CONFIG_SECONDS ?? 30) * 1000,
    });
    const { configuration, published } = served;
    const { uuid, isNew: fresh, query, permissions } = c.get('visitor');
    const preview = c.get('preview');
    const cookie = permissions.measuring ? getCookie(c, armCookie) : undefined;
    const drawn = query.skip_split === 'true' ? null : armOf(c.env, served, uuid, cookie);
    const armed = (arm: string | null | undefined) =>
      configuration.variants.find(({ key }) => key === arm);
    const variant = armed(preview?.arm) ?? armed(drawn);
    const arm = variant?.key ?? defaultType;
    const experiment = drawn === null || preview ? null : configuration.experiment;
    const flowName = variant?.flow ?? defaultFlowName;
    c.set('assignment', {
      configuration,
      published,
      arm,
      landingType: landingTypeOf(arm),
      flowName,
      flow: configuration.flows.get(flowName) ?? (builtInFlows.default as Flow),
      offer: offerOf(configuration, arm),
      experiment,
    });
    await next();
    if (experiment === null || !countsAsExposure(c)) return;
    // Who gets the cookie is new to the arm; where there is none, who is new to us.
    if (permissions.measuring ? cookieNamesArm(c, cookie) : !fresh) return;
    recordExposure(c, experiment, arm);
    if (permissions.measuring) setArmCookie(c);
  });

/** The same, with this isolate's copy of the configuration: one pair, replaced by the next good one. */
export const assignment = assignmentFrom(new ConfigStore());
