import { pageData } from './page-data.ts';

let requested: { path: string; response: Promise<Response> } | undefined;

/** Requests the next screen, once, when it can be swapped in. */
export function requestPage(): void {
  const { kind, next, nextKind } = pageData();
  if (requested || !next || kind !== 'ordinary' || nextKind !== kind) return;
  const headers = { 'x-purpose': 'prefetch' };
  const response = fetch(next + location.search, { headers });
  response.catch(() => {});
  requested = { path: next, response };
}

/** The response to an early request for a screen, for its one reader. */
export function takeResponse(path: string): Promise<Response> | undefined {
  if (requested?.path !== path) return undefined;
  const { response } = requested;
  requested = undefined;
  return response;
}
