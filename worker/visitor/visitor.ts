import type { Context } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { Language } from '../../locales/index.ts';
import { type Market, marketOf } from '../catalog/markets.ts';
import { knownTimeZone } from '../content/time-zone.ts';
import { languageFor } from '../content/translations.ts';
import { type App, isProduction } from '../env.ts';
import { isPrefetch } from '../experiments/exposure.ts';
import { allowedQuery } from '../http/query-allowlist.ts';
import { setCookie } from '../http/set-cookie.ts';
import type { Theme } from '../page-types.ts';
import { clearTrackingCookies } from './clear-tracking-cookies.ts';
import { choiceIn, type Permissions, permissionsOf } from './rules/consent.ts';

/** Who asks, as far as a request tells. */
export interface Visitor {
  /** Anonymous id, uuid v4. */
  uuid: string;
  /** Whether the id is given by this answer. */
  isNew: boolean;
  /** ISO 3166 alpha-2. */
  country: string;
  /** IANA name, as the edge places the visitor. */
  timeZone: string;
  market: Market;
  /** What may be kept and told, by choice, law and the browser's own objection. */
  permissions: Permissions;
  language: Language;
  theme: Theme;
  /** The known query parameters, the only ones that travel from screen to screen. */
  query: Record<string, string>;
}

export interface VisitorVariables {
  visitor: Visitor;
}

const uuidV4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const year = 365 * 24 * 60 * 60;

/** Where the visitor's own choice of a language is kept. */
export const languageCookie = 'lng';

/** Where the visitor's choice about cookies is kept. */
export const consentCookie = 'consent';

const themes: Record<string, Theme> = {
  geozilla: 'geozilla',
  gz: 'geozilla',
  'family-locator': 'family-locator',
  fl: 'family-locator',
  found: 'found',
  fo: 'found',
  brainbloom: 'brainbloom',
  bb: 'brainbloom',
};

/** Who was invited gets no id: they did not ask to be our visitor. */
const invited = /^\/(i|api\/v1\/invitations\/\w+)$/;

/** The theme of a name or alias; `geozilla` for any other. */
function themeOf(name: string | undefined): Theme {
  return (name && Object.hasOwn(themes, name) && themes[name]) || 'geozilla';
}

interface Edge {
  country?: string;
  timezone?: string;
}

/** Writes the visitor's id: for 365 days, or until the browser is closed where nothing may last. */
export function setVisitorCookie(c: Context<App>, uuid: string, { measuring }: Permissions): void {
  setCookie(c, 'userUuid', uuid, {
    path: '/',
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    ...(measuring ? { maxAge: year } : {}),
  });
}

/** Whether a document is asked for, and not a call of its scripts. */
const isPage = ({ req }: Context<App>) => req.method === 'GET' && !req.path.startsWith('/api/');

/**
 * Puts the visitor into `c.var.visitor`, and gives a new one a uuid of 365 days. Where a yes is asked
 * for and is over, what it allowed goes at once; how long a cookie will last nobody can see.
 */
export const visitor = createMiddleware<App>(async (c, next) => {
  const production = isProduction(c.env);
  const query = allowedQuery(c.req.raw, c.env);
  const edge = (c.req.raw as Request & { cf?: Edge }).cf;
  const told = production ? undefined : c.req.header('cf-ipcountry');
  const preview = c.get('preview');
  const country = (
    preview?.country ??
    told ??
    edge?.country ??
    c.env.DEFAULT_COUNTRY ??
    'US'
  ).toUpperCase();
  const market = marketOf(country);
  const kept = getCookie(c, 'userUuid');
  const uuid = kept && uuidV4.test(kept) ? kept : crypto.randomUUID();
  const fresh = uuid !== kept;
  const said = getCookie(c, consentCookie);
  const choice = choiceIn(said);
  const permissions = permissionsOf(market.consent, choice, c.req.header('sec-gpc') === '1');
  c.set('visitor', {
    uuid,
    isNew: fresh,
    country: /^[A-Z]{2}$/.test(country) ? country : 'US',
    timeZone: knownTimeZone(edge?.timezone),
    market,
    permissions,
    language: languageFor(
      [preview?.lng, query.custom_lng, getCookie(c, languageCookie)],
      c.req.header('accept-language'),
    ),
    theme: themeOf(preview?.theme ?? query.theme ?? c.env.THEME),
    query,
  });
  await next();
  // Made under other words, it is forgotten by the browser too, which then asks anew.
  if (said !== undefined && !choice && c.req.method === 'GET') {
    deleteCookie(c, consentCookie, { path: '/' });
  }
  // A page fetched in advance leaves no trace, so that seeing it counts.
  if (isPrefetch(c.req.raw) || invited.test(c.req.path)) return;
  // A preview's country is pretended: what the marketer's own browser keeps is not judged by it.
  const forbidden = !permissions.measuring && isPage(c) && !preview;
  if (fresh || (forbidden && !choice)) setVisitorCookie(c, uuid, permissions);
  if (forbidden) clearTrackingCookies(c);
});
