import { bodyLimit } from 'hono/body-limit';
import { every } from 'hono/combine';
import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';

/**
 * Whether another site's page made this request. Browsers say where a request comes from; a client
 * that says nothing is no browser, and so carries nobody's cookies.
 */
function isForeign(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site) return site !== 'same-origin' && site !== 'none';
  const origin = request.headers.get('origin');
  return origin !== null && origin !== new URL(request.url).origin;
}

/** Refuses `foreign_origin` when another site's page tries to change something. */
export const sameOrigin = createMiddleware<App>(async (c, next) => {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!reads && isForeign(c.req.raw)) throw new Refusal('foreign_origin');
  await next();
});

/** Refuses `too_large` for a body over so many bytes. */
export function bodyUpTo(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal('too_large');
    },
  });
}

/** What stands before every call of the API: our own origin, at most 64 KB. */
export const guard = every(sameOrigin, bodyUpTo(64 * 1024));
