import { pageData } from './page-data.ts';

const known =
  /^((fb|g|tt)clid|[gw]braid|utm_(source|medium|campaign|term|content)|skip_split|coupon|appDomain|custom_lng|theme)$/;
const maxLength = 512;

export function keptQuery(search: string): string {
  const allowed = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(search)) {
    if (known.test(name) && !allowed.has(name)) allowed.set(name, value.slice(0, maxLength));
  }
  const query = allowed.toString();
  return query && `?${query}`;
}

export const addressOf = (path: string): string => path + keptQuery(location.search);

let requested: { path: string; response?: Promise<Response> } | undefined;

/** Requests the next screen, once, if it can be swapped in. */
export function requestPage(): void {
  const { kind, next, nextKind } = pageData();
  if (requested || !next || kind !== 'ordinary' || nextKind !== kind) return;
  const headers = { 'x-purpose': 'prefetch' };
  const response = fetch(addressOf(next), { headers });
  response.catch(() => {}); // Whoever takes the response handles its failure.
  requested = { path: next, response };
}

/** Returns the response to an early request for a screen, once. */
export function takeResponse(path: string): Promise<Response> | undefined {
  if (requested?.path !== path) return undefined;
  const { response } = requested;
  requested = { path: '' };
  return response;
}
