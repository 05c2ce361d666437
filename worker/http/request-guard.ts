import { bodyLimit } from 'hono/body-limit';
import { every } from 'hono/combine';
import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { rateLimit, reportRateLimit } from './rate-limit.ts';

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

/** The media type that a request names, without parameters; empty when it names none. */
export const mediaTypeOf = (request: Request): string =>
  request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Refuses `cross_origin_request` when another site's page tries to change something. */
const sameOrigin = createMiddleware<App>(async (c, next) => {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!reads && isForeign(c.req.raw)) throw new Refusal('cross_origin_request');
  await next();
});

/** Refuses `too_large` for a body over so many bytes. */
export function limitBody(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal('too_large');
    },
  });
}

type Fits = (type: string, path: string) => boolean;

/** Refuses `wrong_type` where the media type does not fit; it is empty where there is no body. */
function typed(fits: Fits) {
  return createMiddleware<App>(async (c, next) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!reads && !fits(mediaTypeOf(c.req.raw), c.req.path)) throw new Refusal('wrong_type');
    await next();
  });
}

/** What no form of another page can send; a beacon, which can send no JSON, tells events alone. */
const isCall: Fits = (type, path) =>
  type === '' ||
  type === 'application/json' ||
  (type === 'text/plain' && path === '/api/v1/events');

const isForm: Fits = (type) =>
  type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';

/** What stands before every call of the API: our own origin, at most 64 KB, no form, no flood. */
export const requestGuard = every(sameOrigin, rateLimit, limitBody(64 * 1024), typed(isCall));

/** What stands before the reports of browsers: our own pages, at most so many bytes, no flood. */
export const reportGuard = (maxSize: number, types: string[]) =>
  every(
    sameOrigin,
    reportRateLimit,
    limitBody(maxSize),
    typed((type) => types.includes(type)),
  );

/** What stands before every form: our own origin, at most so many bytes, a form, no flood. */
export const formGuard = (maxSize: number) =>
  every(sameOrigin, rateLimit, limitBody(maxSize), typed(isForm));
