import { randomBytes } from 'node:crypto';
import type { KVNamespace } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import type { Kv } from '../documents/kv.ts';
import { readCookie } from '../http/read-cookie.ts';
import { hostPrefix } from '../http/set-cookie.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { parsedAs } from '../platform/read-json.ts';
import { unanswered } from '../platform/unanswered.ts';
import { withTimeout } from '../platform/with-timeout.ts';

const schema = v.object({
  arm: v.pipe(v.string(), v.regex(/^\w{1,32}(\/\w{1,32})?$/)),
  country: v.optional(v.pipe(v.string(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/))),
  lng: v.optional(v.pipe(v.string(), v.maxLength(35))),
  theme: v.optional(v.pipe(v.string(), v.maxLength(35))),
  /** Unpublished documents, shown instead of the live ones. */
  documents: v.optional(v.record(v.string(), v.nullable(v.string()))),
  /** Unpublished texts of `lng`, shown instead of the live ones. */
  texts: v.optional(v.record(v.string(), v.string())),
  /** Whether the console made it, and may show it in a frame. */
  framed: v.optional(v.boolean()),
});

export type Preview = v.InferOutput<typeof schema>;

export interface PreviewVariables {
  preview?: Partial<Preview>;
}

/** Only pages show a preview. The API reads the live documents and the visitor's own country. */
export const shownPreview = ({ req, var: { preview } }: Context<App>) =>
  req.path.startsWith('/api/') ? undefined : preview;

/** @throws Refusal `preview_sells_nothing` */
export const refuseInPreview = createMiddleware<App>((c, next) => {
  if (c.get('preview')) throw new Refusal('preview_sells_nothing');
  return next();
});

/** @returns the token of a link or frame */
export async function createPreview(
  kv: Pick<Kv, 'put'>,
  preview: Preview,
  seconds: number,
): Promise<string> {
  const token = randomBytes(16).toString('base64url');
  await kv.put(`preview/${token}`, JSON.stringify(preview), { seconds });
  return token;
}

const readTimeoutMs = 300;
const edgeCacheSeconds = 60;

export const isPreviewToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** @returns null for an unknown, expired or invalid preview @throws when KV is down or slow */
export async function readPreview(kv: KVNamespace, token: string): Promise<Preview | null> {
  const read = kv.get(`preview/${token}`, { cacheTtl: edgeCacheSeconds });
  return parsedAs(schema, await withTimeout(read, readTimeoutMs)) ?? null;
}

const removeNeed = {
  element: (element: { removeAttribute(name: string): unknown }) =>
    void element.removeAttribute('data-need'),
};
const removed = { element: (element: { remove(): void }) => void element.remove() };

/** Only our pages may frame it. It sets no cookie, so that several variants can be shown side by side. */
function framed(response: Response): Response {
  const headers = new Headers(response.headers);
  const policy = headers.get('content-security-policy') ?? '';
  headers.set(
    'content-security-policy',
    policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  );
  headers.set('x-frame-options', 'SAMEORIGIN');
  for (const name of ['set-cookie', 'link']) headers.delete(name);
  const { status, body } = response;
  return (
    new HTMLRewriter()
      .on('script, noscript, link[rel*=preload]', removed)
      // Without scripts nothing counts as bought, and these screens would show the message for a missing step.
      .on('[data-need="checkout.isSuccess"]', removeNeed)
      .transform(new Response(body, { status, headers }) as never) as unknown as Response
  );
}

/** `?frame=<token>` shows the preview in a frame of the console, for this request only. */
export const framePreview = createMiddleware<App>(async (c, next) => {
  const token = c.req.query('frame');
  if (token === undefined || !isPreviewToken(token)) return next();
  const found = await readPreview(c.env.FUNNEL, token).catch(unanswered(c.var.log, 'FUNNEL', null));
  if (!found?.framed) return next();
  c.set('preview', found);
  await next();
  const response = framed(c.res);
  // Otherwise Hono would copy the headers of the replaced page.
  c.res = undefined;
  c.res = response;
});

/** `?preview=<token>` is stored in a session cookie until the browser closes or `?preview=off`. */
export const preview = createMiddleware<App>(async (c, next) => {
  if (c.get('preview')?.framed) return next();
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
  // If KV is too slow the page is shown without the preview, but the visit is still not counted.
  const found: Partial<Preview> | null = isPreviewToken(token)
    ? await readPreview(c.env.FUNNEL, token).catch(unanswered(c.var.log, 'FUNNEL', {}))
    : null;
  if (found) c.set('preview', found);
  await next();
  if (!found) end();
  else if (token !== stored) {
    setCookie(c, 'preview', token, { prefix, path: '/', sameSite: 'Lax', httpOnly: true });
  }
});
