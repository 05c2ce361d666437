import { type Env, isProduction } from '../env.ts';
import { containsPersonalData } from './rules/personal-data-detector.ts';

const longest = 512;

const clicks = ['fbclid', 'gclid', 'ttclid'];
const travelling = [
  ...clicks,
  'skip_split',
  'appDomain',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
];
const testOnly = ['custom_lng', 'theme'];

/** The apps' domains that an ad may name. */
export const appDomains = ({ APP_DOMAINS = '' }: Pick<Env, 'APP_DOMAINS'>): string[] =>
  APP_DOMAINS.split(',').flatMap((domain) => domain.trim().toLowerCase() || []);

/** Names of what is somebody's, whatever its value looks like. */
const theirs = /(^|[_-])(e-?mail|phone|mobile|tel|msisdn|card)$/i;

/** Whether a parameter may stand in an address of ours: it names nobody, and no app but ours. */
export function isAllowedValue(name: string, value: string, env: Env): boolean {
  if (containsPersonalData(value) || containsPersonalData(name) || theirs.test(name)) return false;
  if (clicks.includes(name)) return !/^\d{7,15}$/.test(value);
  return name !== 'appDomain' || appDomains(env).includes(value.toLowerCase());
}

/**
 * Where the visitor's query stands: a form posts to the bare address of its screen, because its HTML
 * is everyone's, so that the query is the one of the page it was sent from.
 */
function queryOf(request: Request, url: URL): URLSearchParams {
  if (request.method !== 'POST' || url.search) return url.searchParams;
  const referer = request.headers.get('referer') ?? '';
  const from = URL.canParse(referer) ? new URL(referer) : url;
  return from.origin === url.origin ? from.searchParams : url.searchParams;
}

/** The parameters that travel from screen to screen, each capped; those for tests not in production. */
export function allowedQuery(request: Request, env: Env): Record<string, string> {
  if (request.method === 'GET' && !request.url.includes('?')) return {};
  const search = queryOf(request, new URL(request.url));
  const names = isProduction(env) ? travelling : [...travelling, ...testOnly];
  const found = names.flatMap((name) => {
    const value = search.get(name);
    return value !== null && isAllowedValue(name, value, env)
      ? [[name, value.slice(0, longest)]]
      : [];
  });
  return Object.fromEntries(found);
}
