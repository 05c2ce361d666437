import { build } from 'virtual:client';
import type { Context } from 'hono';
import { pixelSettings } from '../analytics/ad-networks/index.ts';
import { encodeServedAt, fingerprintClaims, offerStamp } from '../catalog/checkout-terms.ts';
import { marketTag } from '../catalog/rules/markets.ts';
import { isPeriod } from '../catalog/rules/plans.ts';
import { reminderDay, renewalDay } from '../catalog/rules/renewal-date.ts';
import type { PlaceholderValues } from '../content/page-placeholders.ts';
import { isLanding } from '../experiments/rules/flows.ts';
import { endingFamilies, familiesOf, shownOffer } from '../experiments/rules/shown-offer.ts';
import { textsOn } from '../experiments/variant-texts.ts';
import { isPrefetch } from '../http/bots.ts';
import type { PageKind } from '../http/page-kind.ts';
import { pageHeaders, securityHeaders } from '../http/security-headers.ts';
import { helplineOf } from '../invitations/rules/helplines.ts';
import { type App, type Env, isProduction } from '../platform/env.ts';
import { signingSecret } from '../platform/hmac.ts';
import { type Country, countryOf } from './country-facts.ts';
import { CachedPage, PageCache, type Reader } from './page-cache.ts';
import { isPersonal, type Page, pageKind } from './page-types.ts';
import { readSharedPage, sharePage } from './shared-page-cache.ts';

/** 32 MB: a quarter of an isolate's memory. */
const cache = new PageCache<CachedPage>(32_000_000);

/**
 * For prefetched pages: the browser shows them without a second request, unless a cookie changed (`Vary`), as by a
 * new language or consent. A page that still has to count its visitor, and a fallback page, are requested again.
 */
const prefetchCacheControl = 'private, max-age=60';

function cacheControlFor(c: Context<App>, screen: string, status: number): string {
  if (c.get('preview')?.arm || isPersonal(screen)) return 'no-store';
  const isFinal = status === 200 && !c.get('isFallback') && c.get('isReusable')?.(screen);
  return isFinal && isPrefetch(c.req.raw) ? prefetchCacheControl : 'private, no-cache';
}

function cacheKey(c: Context<App>, screen: Page['screen'], contentVersion: string): string {
  const { language, market, theme, country } = c.get('visitor');
  const { configuration, flowName, arm, variants } = c.get('assignment');
  const versions = [build, configuration.version, contentVersion];
  const test = !isProduction(c.env);
  // Bank methods and Link depend on the country.
  const { bankMethods, stripeWallets, catalog } = configuration;
  const place = bankMethods.length + stripeWallets.length > 0 ? country : market.id;
  const tag = marketTag(market);
  const { country: sold } = catalog;
  const key = [...versions, screen, flowName, arm, language, tag, place, sold, theme, test];
  // Only what changes this screen, so that most visitors of an experiment share a page.
  const printsOffer = isLanding(screen) || pageKind(screen) === 'payment';
  const offer = (printsOffer && variants.offer) || [];
  return [...key, ...[offer].flat(), ...textsOn(screen, variants).map(({ arm }) => arm)].join('|');
}

/** Everything on which the placeholders of a cached page depend. */
function readerOf(c: Context<App>): Reader {
  const { country, zone } = c.get('visitor');
  return { env: c.env, key: `${country}|${zone}|${encodeServedAt(Date.now())}` };
}

/** By environment; bounded by page kinds and languages. Copying headers is cheaper than creating them. */
const headersOf = new WeakMap<object, Map<string, Headers>>();

function headersFor(env: Env, kind: PageKind, language: string, cacheControl: string): Headers {
  const all = headersOf.get(env) ?? new Map<string, Headers>();
  headersOf.set(env, all);
  const key = `${kind}|${language}|${cacheControl}`;
  let headers = all.get(key);
  if (!headers) {
    headers = new Headers({
      ...securityHeaders,
      ...pageHeaders(kind, Boolean(env.FAKES_URL), pixelSettings(env)),
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'cache-control': cacheControl,
      ...(cacheControl === prefetchCacheControl && { vary: 'Cookie' }),
    });
    all.set(key, headers);
  }
  return headers;
}

function placeholderValues(c: Context<App>, screen: string, country: Country): PlaceholderValues {
  const visitor = c.get('visitor');
  const { language, market } = visitor;
  const { code, name, callingCode, exampleNumber, groups } = country;
  const helpline = helplineOf(visitor.country);
  const now = Date.now();
  const servedAt = encodeServedAt(now);
  return {
    'country.code': () => code,
    'country.name': () => name,
    'country.callingCode': () => callingCode,
    'country.exampleNumber': () => exampleNumber,
    'country.groups': () => groups,
    'helpline.name': () => helpline?.name ?? '',
    'helpline.number': () => helpline?.number ?? '',
    'helpline.dial': () => helpline?.dial ?? '',
    'helpline.emergency': () => helpline?.emergency ?? '112 / 911',
    servedAt: () => servedAt,
    timeZone: () => visitor.timeZone,
    offerStamp() {
      // What a preview shows cannot be bought, also after the preview has ended.
      if (c.get('preview')?.arm) return '';
      const assignment = c.get('assignment');
      const offer = shownOffer(screen, assignment);
      const { catalog } = assignment.configuration;
      const sold = { families: familiesOf(offer, catalog), ending: endingFamilies(offer) };
      const claims = fingerprintClaims(
        { catalog, language, market, ...sold },
        servedAt,
        visitor.timeZone,
      );
      return offerStamp(signingSecret(c.env), claims);
    },
    renewal: (cycle) =>
      renewalDay(isPeriod(cycle) ? cycle : Number(cycle), now, language, visitor.timeZone),
    reminder: (introDays) => reminderDay(Number(introDays), now, language, visitor.timeZone),
  };
}

interface RenderOptions {
  status?: number;
  /** False for a page that depends on more than its cache key. */
  cacheable?: boolean;
  contentVersion?: string | undefined;
}

/** Streams a page. @param store is called with the whole HTML, with placeholders, if nothing failed */
export type Renderer = (
  values: PlaceholderValues,
  store: (html: string) => void,
) => Promise<ReadableStream>;

/** A page that another isolate has rendered. */
async function sharedPage(c: Context<App>, key: string): Promise<CachedPage | undefined> {
  const shared = await readSharedPage(c, key);
  if (shared === undefined) return undefined;
  const page = new CachedPage(shared);
  cache.set(key, page);
  return page;
}

/** A cached page, else one streamed from React and cached when complete. @param load only on a cache miss */
export async function servePage(
  c: Context<App>,
  screen: Page['screen'],
  load: () => Promise<Renderer>,
  { status = 200, cacheable = true, contentVersion = '' }: RenderOptions = {},
): Promise<Response> {
  const start = performance.now();
  const isPreview = Boolean(c.get('preview')?.arm);
  const useCache = cacheable && !isPreview;
  const key = cacheKey(c, screen, contentVersion);
  const store = (html: string) => {
    if (!useCache) return;
    cache.set(key, new CachedPage(html));
    sharePage(c, key, html);
  };
  const { country, language } = c.get('visitor');
  const readCountry = () => countryOf(country, language, c.env, c.get('log'));
  const own = useCache ? cache.get(key) : undefined;
  const [cached, facts] = own
    ? [own, await readCountry()]
    : await Promise.all([useCache ? sharedPage(c, key) : undefined, readCountry()]);
  const values = () => placeholderValues(c, screen, facts);
  const body = cached ? cached.fill(readerOf(c), values) : await (await load())(values(), store);
  const ms = performance.now() - start;
  c.set('page', { screen, cache: cached ? 'hit' : 'miss', ms });
  return new Response(body, {
    status,
    headers: headersFor(c.env, pageKind(screen), language, cacheControlFor(c, screen, status)),
  });
}
