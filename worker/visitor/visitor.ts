import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Language } from '../../locales/index.ts';
import { keptCurrency } from '../catalog/kept-currency.ts';
import { type Market, marketOf, withTax } from '../catalog/rules/markets.ts';
import { type Theme, themeOf } from '../content/rules/themes.ts';
import { knownTimeZone } from '../content/time-zone.ts';
import { languageFor } from '../content/translations.ts';
import { armCookie, landingCookie } from '../experiments/assignment.ts';
import { armsCookie } from '../experiments/experiment-cookie.ts';
import { shownPreview } from '../experiments/preview.ts';
import { familiesOf } from '../experiments/rules/shown-offer.ts';
import { isUnseen } from '../http/bots.ts';
import { allowedQuery } from '../http/query-allowlist.ts';
import { readCookie } from '../http/read-cookie.ts';
import { deviceOf, sourceOf } from '../http/rules/traffic.ts';
import { hostPrefix, setCookie } from '../http/set-cookie.ts';
import { type App, isProduction, isSynthetic } from '../platform/env.ts';
import { asVisitorId, uuidV4, type VisitorIdentity } from '../platform/types.ts';
import { choiceIn, type Permissions, permissionsOf } from './rules/consent.ts';
import { firstSeen, idOfKey, newVisitorKey, visitorIdOf, visitorKeyCookie } from './visitor-key.ts';

const vendorCookies =
  /^(_fb[cp]|_ttp|_tt_.*|_ga.*|_gcl_.*|_clck|_clsk|afUserId|AF_SYNC|publicid_giaid)$/;

const ownCookies: ReadonlySet<string> = new Set([armCookie, armsCookie, landingCookie]);

/** Vendors set cookies on parent domains, so each parent domain gets a deletion. */
function deleteEverywhere(c: Context<App>, name: string): void {
  deleteCookie(c, name, { path: '/' });
  if (ownCookies.has(name)) return;
  const labels = new URL(c.req.url).hostname.split('.');
  for (let from = 0; from <= labels.length - 2; from += 1) {
    deleteCookie(c, name, { path: '/', domain: labels.slice(from).join('.') });
  }
}

export function clearTrackingCookies(c: Context<App>): void {
  const sent = Object.keys(getCookie(c));
  for (const name of sent) {
    if (ownCookies.has(name) || vendorCookies.test(name)) deleteEverywhere(c, name);
  }
}

export interface Visitor extends VisitorIdentity {
  isNew: boolean;
  /** Ms since 1970; 0 if the browser does not prove it. */
  readonly firstSeen: number;
  country: string;
  readonly timeZone: string;
  /** As reported by the platform; undefined if unknown. */
  zone: string | undefined;
  /** The law of the country, and the currency in which the live catalog sells there. */
  readonly market: Market;
  /** By choice, law and the browser's Global Privacy Control. */
  permissions: Permissions;
  language: Language;
  /** `ios`, `android`, `desktop` or `other`. */
  readonly device: string;
  readonly source: string;
  theme: Theme;
  query: Record<string, string>;
}

export interface VisitorVariables {
  visitor: Visitor;
}

const yearSeconds = 365 * 24 * 60 * 60;

const visitorCookie = 'userUuid';

export const languageCookie = 'lng';

export const consentCookie = 'consent';

/** Invited people are not tracked: they get no id. */
const inviteePath = /^\/(i|api\/v1\/invitations\/[\w-]+)$/;

interface CloudflareProperties {
  country?: string;
  timezone?: string;
}

export function newIdentity(): VisitorIdentity {
  const key = newVisitorKey();
  return { key, uuid: idOfKey(key) };
}

/** The key decides, so an id that somebody planted or changed does not count. */
function identityOf(c: Context<App>): VisitorIdentity & { isNew: boolean } {
  const key = readCookie(c, visitorKeyCookie, hostPrefix(c));
  const own = visitorIdOf(key);
  if (key && own) return { uuid: own, key, isNew: false };
  const named = readCookie(c, visitorCookie);
  if (named && uuidV4.test(named)) return { uuid: asVisitorId(named), key: null, isNew: false };
  return { ...newIdentity(), isNew: true };
}

/** Sets the visitor id and its key for 365 days, or as session cookies without permission to measure. */
export function setVisitorCookies(
  c: Context<App>,
  { uuid, key }: VisitorIdentity,
  { measuring }: Permissions,
): void {
  const options: CookieOptions = {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    ...(measuring ? { maxAge: yearSeconds } : {}),
  };
  setCookie(c, visitorCookie, uuid, options);
  if (key === null) return;
  setCookie(c, visitorKeyCookie, key, { ...options, prefix: hostPrefix(c), httpOnly: true });
}

/** In the currency of a running subscription, if all that is offered has a price in it. */
function marketFor(c: Context<App>, country: string, mayKeep: boolean): Market {
  const assignment = c.get('assignment');
  const catalog = assignment?.configuration.catalog;
  const market = withTax(marketOf(country, catalog?.currencies), c.env);
  const kept = mayKeep && catalog ? keptCurrency(c) : null;
  if (!kept || !catalog || kept === market.currency) return market;
  const families = [...catalog.families, ...familiesOf(assignment.offer, catalog)];
  return catalog.sells(families, kept) ? { ...market, currency: kept } : market;
}

const isPageRequest = ({ req }: Context<App>) =>
  req.method === 'GET' && !req.path.startsWith('/api/');

/** The preview's country, or the header's where it may be set, or the edge's; in capitals. */
function countryOf(c: Context<App>, edge: CloudflareProperties | undefined): string {
  const trustsHeader = !isProduction(c.env) || isSynthetic(c.env);
  const headerCountry = trustsHeader ? c.req.header('cf-ipcountry') : undefined;
  const country = shownPreview(c)?.country ?? headerCountry ?? edge?.country;
  return (country ?? c.env.DEFAULT_COUNTRY ?? 'US').toUpperCase();
}

/** When consent has expired, cookies that needed it are deleted at once. */
export const visitor = createMiddleware<App>(async (c, next) => {
  const query = allowedQuery(c.req.raw, c.env);
  const edge = (c.req.raw as Request & { cf?: CloudflareProperties }).cf;
  const preview = c.get('preview');
  const country = countryOf(c, edge);
  const identity = identityOf(c);
  const storedConsent = readCookie(c, consentCookie);
  const choice = choiceIn(storedConsent);
  const permissions = isSynthetic(c.env)
    ? { measuring: false, ads: false }
    : permissionsOf(marketOf(country).consent, choice, c.req.header('sec-gpc') === '1');
  c.set('visitor', {
    ...identity,
    firstSeen: firstSeen(identity.key),
    country: /^[A-Z]{2}$/.test(country) ? country : 'US',
    zone: edge?.timezone,
    // Computed on demand, because the first use of a time zone takes an isolate 16 ms.
    get timeZone() {
      return knownTimeZone(edge?.timezone);
    },
    // The catalog is known later, with the assignment.
    get market() {
      return marketFor(c, country, !shownPreview(c)?.country);
    },
    permissions,
    language: languageFor(
      [preview?.lng, query.custom_lng, readCookie(c, languageCookie)],
      c.req.header('accept-language'),
    ),
    get device() {
      return deviceOf(c.req.header('user-agent') ?? '');
    },
    source: sourceOf(query),
    theme: themeOf(preview?.theme ?? query.theme ?? c.env.THEME),
    query,
  });
  await next();
  // A choice about an older text is deleted, so that the banner asks again.
  if (storedConsent !== undefined && !choice && c.req.method === 'GET') {
    deleteCookie(c, consentCookie, { path: '/' });
  }
  // The visitor is counted when the page is shown.
  if (isUnseen(c.req.raw) || inviteePath.test(c.req.path)) return;
  // A preview only simulates a country, so it must not delete the marketer's own cookies.
  const forbidden = !permissions.measuring && isPageRequest(c) && !preview;
  // A browser with an id that it cannot prove gets one of its own.
  const isUnproven = identity.key === null && isPageRequest(c);
  const isChanged = isUnproven || identity.uuid !== readCookie(c, visitorCookie);
  if (isChanged || (forbidden && !choice))
    setVisitorCookies(c, isUnproven ? newIdentity() : identity, permissions);
  if (forbidden) clearTrackingCookies(c);
});
