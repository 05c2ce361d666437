import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { hostPrefix } from '../http/set-cookie.ts';

import { isPreviewToken, type Preview, readPreview } from './preview-store.ts';

export interface PreviewVariables {
  /** Set in a browser that opened a marketer's link; empty when KV timed out. */
  preview?: Partial<Preview>;
}

/**
 * Lets a marketer's link (`?preview=<token>`) decide arm, country, language and theme for as long as
 * the browser is open, or until `?preview=off`: into `c.var.preview`, the token into a cookie.
 */
export const preview = createMiddleware<App>(async (c, next) => {
  const prefix = hostPrefix(c);
  const kept = getCookie(c, 'preview', prefix);
  const asked = c.req.query('preview');
  const end = () => kept !== undefined && deleteCookie(c, 'preview', { prefix, path: '/' });
  if (asked === 'off') {
    await next();
    end();
    return;
  }
  const token = asked !== undefined && isPreviewToken(asked) ? asked : kept;
  if (token === undefined) return next();
  const found = isPreviewToken(token) ? await readPreview(c.env.FUNNEL, token) : null;
  // One that KV did not tell in time shows nothing special, but is not an ordinary visit either.
  if (found) c.set('preview', found === 'late' ? {} : found);
  await next();
  if (!found) end();
  else if (token !== kept) {
    setCookie(c, 'preview', token, { prefix, path: '/', sameSite: 'Lax', httpOnly: true });
  }
});
