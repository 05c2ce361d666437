import { createMiddleware } from 'hono/factory';
import { type App, type Env, isProduction } from '../platform/env.ts';
import { containsPersonalData } from './rules/personal-data-detector.ts';

const maxLength = 512;

export const clickIds = ['fbclid', 'gclid', 'gbraid', 'wbraid', 'ttclid'] as const;
export type ClickId = (typeof clickIds)[number];

const allowed: readonly string[] = [
  ...clickIds,
  'skip_split',
  'coupon',
  'appDomain',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
];
const testOnly = ['custom_lng', 'theme'];

export const appDomains = ({ APP_DOMAINS = '' }: Pick<Env, 'APP_DOMAINS'>): string[] =>
  APP_DOMAINS.split(',').flatMap((domain) => domain.trim().toLowerCase() || []);

/** Parameters that count as personal data even if their value does not look like it. */
const personalNames = /(^|[_-])(e-?mail|phone|mobile|tel|msisdn|card)$/i;

export function isAllowedValue(name: string, value: string, env: Env): boolean {
  if (containsPersonalData(value) || containsPersonalData(name) || personalNames.test(name))
    return false;
  if (clickIds.some((id) => id === name)) return !/^\d{7,15}$/.test(value);
  return name !== 'appDomain' || appDomains(env).includes(value.toLowerCase());
}

const isPage = ({ method, url }: Request) => method === 'GET' && !url.includes('/api/');

/** A form posts to its screen without a query, because cached HTML is shared, as the API is called; the referrer has it. */
function queryOf(request: Request, url: URL): URLSearchParams {
  if (isPage(request) || url.search) return url.searchParams;
  const from = URL.parse(request.headers.get('referer') ?? '');
  return (from?.origin === url.origin ? from : url).searchParams;
}

export function allowedQuery(request: Request, env: Env): Record<string, string> {
  if (isPage(request) && !request.url.includes('?')) return {};
  const search = queryOf(request, new URL(request.url));
  const names = isProduction(env) ? allowed : [...allowed, ...testOnly];
  const found = names.flatMap((name) => {
    const value = search.get(name);
    return value !== null && isAllowedValue(name, value, env)
      ? [[name, value.slice(0, maxLength)]]
      : [];
  });
  return Object.fromEntries(found);
}

const pagePath = /^\/(\w*|manage\/\w+)$/;
const withoutScripts = /^\/(api|\.well-known)\//;

/** Redirects before rendering, so that scripts, history and analytics never see personal data. */
export const stripPersonalQuery = createMiddleware<App>(async (c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || !c.req.url.includes('?')) return next();
  const url = new URL(c.req.url);
  if (!url.search || withoutScripts.test(url.pathname)) return next();
  const all = [...url.searchParams];
  const allowed = all.filter(([name, value]) => isAllowedValue(name, value, c.env));
  if (allowed.length === all.length) return next();
  c.var.log('info', 'personal_query_removed', { count: all.length - allowed.length });
  const query = new URLSearchParams(allowed).toString();
  c.header('Cache-Control', 'no-store');
  const path = pagePath.test(url.pathname) ? url.pathname : '/';
  return c.redirect(query ? `${path}?${query}` : path, 303);
});
