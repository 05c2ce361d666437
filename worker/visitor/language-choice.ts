import { setCookie } from 'hono/cookie';
import { matchTag } from '../../locales/index.ts';
import { languages } from '../content/translations.ts';
import { createHandlers } from '../http/handlers.ts';
import { formGuard } from '../http/request-guard.ts';
import { languageCookie } from './visitor.ts';

const year = 365 * 24 * 60 * 60;

/** The path of the page that a form was sent from; `/` when it was none of ours. */
function pathBefore(url: string, referer = ''): string {
  const from = URL.canParse(referer) ? new URL(referer) : null;
  const ours = from?.origin === new URL(url).origin && /^\/\w*$/.test(from.pathname);
  return ours ? from.pathname : '/';
}

/**
 * `POST /language`: the visitor's own choice, field `language`. Kept in a cookie; the answer leads
 * back to the page that it was made on, without a language that its query asks for.
 */
export const chooseLanguage = createHandlers(formGuard(1024), async (c) => {
  const fields = await c.req.parseBody().catch(() => ({}) as Record<string, unknown>);
  const chosen = matchTag(String(fields.language ?? ''), languages);
  const { custom_lng: _asked, ...query } = c.var.visitor.query;
  if (chosen) {
    setCookie(c, languageCookie, chosen, {
      path: '/',
      sameSite: 'Lax',
      secure: c.req.url.startsWith('https:'),
      // It does what the visitor asked for; before consent, until the browser is closed.
      ...(c.var.visitor.market.consent ? {} : { maxAge: year }),
    });
  }
  const search = new URLSearchParams(query).toString();
  const path = pathBefore(c.req.url, c.req.header('referer'));
  c.header('Cache-Control', 'no-store');
  return c.redirect(search ? `${path}?${search}` : path, 303);
});
