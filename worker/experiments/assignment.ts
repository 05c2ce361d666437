import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { keptCurrency } from '../catalog/kept-currency.ts';
import type { Currency } from '../catalog/rules/currencies.ts';
import { marketOf } from '../catalog/rules/markets.ts';
import { themeOf } from '../content/rules/themes.ts';
import { isUnseen } from '../http/bots.ts';
import { readCookie } from '../http/read-cookie.ts';
import { trafficOf } from '../http/rules/traffic.ts';
import { setCookie } from '../http/set-cookie.ts';
import { dayMs } from '../platform/durations.ts';
import { type App, type Env, isProduction, isSynthetic } from '../platform/env.ts';
import { armSignature, signingSecret } from '../platform/hmac.ts';
import type { VisitorId } from '../platform/types.ts';
import { storeArms, storedArms } from './experiment-cookie.ts';
import type { LiveConfig, ServedConfig } from './live-config.ts';
import { shownPreview } from './preview.ts';
import type { Arm } from './rules/arms.ts';
import {
  type Configuration,
  type Offer,
  offerOf,
  publicConfig,
  readDocuments,
} from './rules/config-documents.ts';
import { builtInFlows, type Flow, isScreenId, type ScreenId } from './rules/flows.ts';
import { landingOf, readLanding } from './rules/landing.ts';
import {
  bucketOf,
  defaultFlowName,
  defaultType,
  landingTypeOf,
  pickVariant,
  type Variant,
} from './rules/split.ts';
import type { Variants } from './running-experiments.ts';

export interface Assignment {
  configuration: Configuration;
  published: ServedConfig['published'];
  /** Variant key, `intro/7d`. */
  arm: string;
  landingType: string;
  flowName: string;
  flow: Flow;
  offer: Offer;
  /** The experiment that counts this visitor; null for a visitor outside the experiment. */
  experiment: string | null;
  /** The screen with which the visitor was counted (`rules/landing.ts`); empty if it is not known. */
  landing: string;
  /** The visitor's variants in the experiments that run beside the split. */
  arms: readonly Arm[];
  variants: Variants;
}

export interface AssignmentVariables {
  assignment: Assignment;
  /** Whether the browser may show a screen again without a request, because its visitor is already counted. */
  isReusable?: (screen: string) => boolean;
}

/** Signed: `prices:intro/7d.<signature>`. */
export const armCookie = 'arm';
export const landingCookie = 'landing';
/** Sent by a browser that may not store the cookie and remembers its first screen in memory. */
const landingHeader = 'x-landing';
const yearSeconds = 365 * 24 * 60 * 60;

/** The cookie lasts a year, so it is signed with the secret that is never replaced, if there is one. */
const armSecret = (env: Env) => env.PHONE_HASH_SECRET || signingSecret(env);

const cookieValue = (experiment: string, arm: string) => `${experiment}:${arm}`;

/** By secret and value. Only arms of the configuration are signed, so there are few. */
const signatures = new Map<string, string>();
const maxSignatures = 1000;

async function signatureOf(env: Env, value: string): Promise<string> {
  const secret = armSecret(env);
  const key = `${secret}|${value}`;
  let signature = signatures.get(key);
  if (signature === undefined) {
    signature = await armSignature(secret, value);
    if (signatures.size >= maxSignatures) signatures.clear();
    signatures.set(key, signature);
  }
  return signature;
}

export async function signedArm(env: Env, experiment: string, arm: string): Promise<string> {
  const value = cookieValue(experiment, arm);
  return `${value}.${await signatureOf(env, value)}`;
}

function parseCookie(cookie = '') {
  const [, value = cookie, signature = ''] = /^(.*)\.([\w-]{43})$/.exec(cookie) ?? [];
  return { value, signature };
}

/** An arm of weight 0 is never drawn, so the cookie needs our signature. */
export async function armFromCookie(
  env: Env,
  experiment: string,
  variants: readonly Variant[],
  cookie: string | undefined,
): Promise<Variant | undefined> {
  const { value, signature } = parseCookie(cookie);
  const named = variants.find(({ key }) => value === cookieValue(experiment, key));
  if (!named || named.weight > 0) return named;
  const [given, expected] = [Buffer.from(signature), Buffer.from(await signatureOf(env, value))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? named : undefined;
}

export function isArmInCookie(c: Context<App>, cookie: string | undefined): boolean {
  const { experiment, arm } = c.get('assignment');
  return experiment !== null && parseCookie(cookie).value === cookieValue(experiment, arm);
}

/** Stores the arm and the landing with which the visitor was counted. */
export async function setArmCookies(c: Context<App>, landing: string): Promise<void> {
  const { experiment, arm } = c.get('assignment');
  if (experiment === null) return;
  const options = {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: yearSeconds,
  } as const;
  setCookie(c, armCookie, await signedArm(c.env, experiment, arm), options);
  if (landing) setCookie(c, landingCookie, landing, options);
}

async function assignArm(
  env: Env,
  served: ServedConfig,
  uuid: VisitorId,
  cookie: string | undefined,
): Promise<{ key: string; counts: boolean } | null> {
  const { experiment, variants } = served.configuration;
  const [control] = variants;
  if (!served.live || !control) return null;
  const own = await armFromCookie(env, experiment, variants, cookie);
  // They saw another arm before, so the control does not count them.
  if (own?.weight === 0 && own.stopped) return { key: control.key, counts: false };
  const { key } = own ?? pickVariant(variants, bucketOf(experiment, uuid)) ?? control;
  return { key, counts: true };
}

/** The unpublished documents that a preview shows; null when they are not valid. */
function draftOf(c: Context<App>): Pick<ServedConfig, 'configuration' | 'published'> | null {
  const documents = shownPreview(c)?.documents;
  if (!documents) return null;
  try {
    const configuration = readDocuments(documents, isProduction(c.env));
    return { configuration, published: publicConfig(configuration) };
  } catch {
    return null;
  }
}

/** A buyer who keeps another currency gets the versions that are sold in it. */
function inCountry(
  configuration: Configuration,
  country: string,
  kept: Currency | null,
): Configuration {
  const { countries, currencies } = configuration.catalog;
  if (!countries.has(country)) return configuration;
  if (kept && kept !== marketOf(country, currencies).currency) return configuration;
  return { ...configuration, ...configuration.soldIn(country) };
}

/** Whether the response is a funnel screen that a visitor sees: a 200 to a GET. */
function countsAsExposure(c: Context<App>): boolean {
  const page = c.get('page');
  const screen = page !== undefined && isScreenId(page.screen);
  return screen && c.req.method === 'GET' && c.res.status === 200 && !isUnseen(c.req.raw);
}

export interface Exposure {
  experiment: string;
  variant: string;
  landing?: string;
}

const none: Variants = { arms: [], texts: [], shownOn: () => [] };

/** Previews and checks show what everybody gets. @param isCounted whether a cookie says that the split counted the visitor */
function variantsOf(
  c: Context<App>,
  running: ServedConfig['running'],
  isCounted: boolean,
): Variants {
  const visitor = c.get('visitor');
  const { query, uuid, firstSeen } = visitor;
  if (!running || query.skip_split === 'true' || isSynthetic(c.env) || c.get('preview'))
    return none;
  const now = Date.now();
  const { network: source, placement } = trafficOf(query);
  const asked = {
    id: uuid,
    country: visitor.country,
    language: visitor.language,
    platform: visitor.device,
    source,
    placement,
    campaign: query.utm_campaign ?? '',
    isNew: now - firstSeen < dayMs,
    firstSeen: isCounted ? 0 : firstSeen,
  };
  return running(asked, storedArms(c), now);
}

/**
 * Those that this screen counts. Without a cookie every view is sent, and counted once by its id; of the holdout, which
 * every screen shows, only the first one.
 */
function uncounted(c: Context<App>, screen: string): readonly Arm[] {
  const { shownOn, holdout } = c.get('assignment').variants;
  const shown = shownOn(screen);
  if (shown.length === 0) return shown;
  const stored = storedArms(c);
  const visitor = c.get('visitor');
  const isLater = !visitor.permissions.measuring && !visitor.isNew;
  return shown.filter(
    (own) =>
      !(isLater && own === holdout) &&
      !stored.some((arm) => arm.experiment === own.experiment && arm.variant === own.variant),
  );
}

/** The first response that shows a screen of the arm counts as an exposure and sets the cookie. */
export const assignmentFrom = (
  store: LiveConfig,
  recordExposures: (c: Context<App>, exposures: readonly Exposure[]) => void,
) =>
  createMiddleware<App>(async (c, next) => {
    const served = await store.current({
      kv: c.env.FUNNEL,
      log: c.get('log'),
      waitUntil: (promise) => c.executionCtx.waitUntil(promise),
      production: isProduction(c.env),
      maxAgeMs: Number(c.env.CONFIG_CACHE_SECONDS ?? 30) * 1000,
    });
    const { published, ...shown } = draftOf(c) ?? served;
    const { uuid, isNew, query, permissions, country } = c.get('visitor');
    const kept = shownPreview(c)?.country ? null : keptCurrency(c);
    const preview = c.get('preview');
    const cookie = permissions.measuring ? readCookie(c, armCookie) : undefined;
    const variants = variantsOf(c, served.running, cookie !== undefined);
    const base = await variants.base?.(c);
    const configuration = inCountry(base?.configuration ?? shown.configuration, country, kept);
    const isOutside = base || query.skip_split === 'true' || isSynthetic(c.env);
    const assigned = isOutside ? null : await assignArm(c.env, served, uuid, cookie);
    const variantOf = (arm: string | null | undefined) =>
      configuration.variants.find(({ key }) => key === arm);
    const variant = variantOf(shownPreview(c)?.arm) ?? variantOf(base?.arm ?? assigned?.key);
    const arm = variant?.key ?? defaultType;
    const experiment = assigned?.counts && !preview ? configuration.experiment : null;
    const flowName = variants.flow ?? variant?.flow ?? defaultFlowName;
    const flow = configuration.flows.get(flowName) ?? builtInFlows.default;
    const seen = permissions.measuring ? readCookie(c, landingCookie) : c.req.header(landingHeader);
    c.set('assignment', {
      configuration,
      published,
      arm,
      landingType: landingTypeOf(arm),
      flowName,
      flow,
      offer: offerOf(configuration, variants.offer ?? arm),
      experiment,
      landing: readLanding(seen),
      arms: variants.arms,
      variants: base ? { ...variants, texts: base.texts } : variants,
    });
    if (variants.theme && !query.theme) c.get('visitor').theme = themeOf(variants.theme);
    // Without the cookie, a visitor whose id is new counts as newly exposed.
    const alreadyCounted = permissions.measuring ? isArmInCookie(c, cookie) : !isNew;
    const isSplitCounted = experiment === null || alreadyCounted;
    c.set(
      'isReusable',
      (screen) => served.live && !preview && isSplitCounted && uncounted(c, screen).length === 0,
    );
    await next();
    if (!countsAsExposure(c)) return;
    const screen = c.get('page')?.screen as ScreenId;
    const beside = uncounted(c, screen);
    const landing = landingOf(flow, screen);
    const own = isSplitCounted ? [] : [{ experiment, variant: arm, landing }];
    if (own.length + beside.length === 0) return;
    recordExposures(c, [...own, ...beside]);
    if (!permissions.measuring) return;
    if (own.length > 0) await setArmCookies(c, landing);
    if (beside.length > 0) storeArms(c, beside, variants.arms);
  });
