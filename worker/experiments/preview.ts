import type { KVNamespace } from '@cloudflare/workers-types';
import { deleteCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { readCookie } from '../http/read-cookie.ts';
import { hostPrefix } from '../http/set-cookie.ts';

const schema = v.object({
  arm: v.pipe(v.string(), v.regex(/^\w{1,32}(\/\w{1,32})?$/)),
  /** ISO 3166 alpha-2. */
  country: v.optional(v.pipe(v.string(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/))),
  /** BCP 47. */
  lng: v.optional(v.pipe(v.string(), v.maxLength(35))),
  theme: v.optional(v.pipe(v.string(), v.maxLength(35))),
});

export type Preview = v.InferOutput<typeof schema>;

export interface PreviewVariables {
  preview?: Partial<Preview>;
}

const readTimeoutMs = 300;
const edgeCacheSeconds = 60;

export const isPreviewToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** @returns null for an unknown, expired or invalid preview; 'late' when KV is down or slow */
export async function readPreview(
  kv: KVNamespace,
  token: string,
): Promise<Preview | null | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, readTimeoutMs, 'late');
  });
  try {
    const found = await Promise.race([
      (async () => kv.get(`preview/${token}`, { cacheTtl: edgeCacheSeconds }))(),
      late,
    ]);
    return found === 'late' ? found : parse(found);
  } catch {
    return 'late';
  } finally {
    clearTimeout(timer);
  }
}

function parse(text: string | null): Preview | null {
  if (text === null) return null;
  try {
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

/** `?preview=<token>` lasts in a session cookie until the browser closes or `?preview=off`. */
export const preview = createMiddleware<App>(async (c, next) => {
  const prefix = hostPrefix(c);
  const stored = readCookie(c, 'preview', prefix);
  const requested = c.req.query('preview');
  const end = () => stored !== undefined && deleteCookie(c, 'preview', { prefix, path: '/' });
  if (requested === 'off') {
    await next();
    end();
    return;
  }
  const token = requested !== undefined && isPreviewToken(requested) ? requested : stored;
  if (token === undefined) return next();
  const found = isPreviewToken(token) ? await readPreview(c.env.FUNNEL, token) : null;
  // When KV is too slow the page shows nothing special, but the visit is still not counted.
  if (found) c.set('preview', found === 'late' ? {} : found);
  await next();
  if (!found) end();
  else if (token !== stored) {
    setCookie(c, 'preview', token, { prefix, path: '/', sameSite: 'Lax', httpOnly: true });
  }
});
