import { setCookie } from 'hono/cookie';
import { matchTag } from '../../locales/index.ts';
import { languages } from '../content/language-files.ts';
import { createHandlers } from '../http/handlers.ts';
import { formGuard } from '../http/request-guard.ts';
import { languageCookie } from './visitor.ts';

const yearSeconds = 365 * 24 * 60 * 60;

function formPath(url: string, referer = ''): string {
  const from = URL.canParse(referer) ? new URL(referer) : null;
  const ours = from?.origin === new URL(url).origin && /^\/(\w*|manage\/card)$/.test(from.pathname);
  return ours ? from.pathname : '/';
}

/** Redirects to the page with the form, without `custom_lng` in its query. */
export const chooseLanguage = createHandlers(formGuard(1024), async (c) => {
  const fields = await c.req.parseBody().catch(() => ({ language: undefined }));
  const chosen = matchTag(String(fields.language ?? ''), languages); // None in a broken body.
  const { custom_lng: _removed, ...query } = c.var.visitor.query;
  if (chosen) {
    setCookie(c, languageCookie, chosen, {
      path: '/',
      sameSite: 'Lax',
      secure: c.req.url.startsWith('https:'),
      // The visitor asked for this cookie. Where consent is required it lasts for the session.
      ...(c.var.visitor.market.consent ? {} : { maxAge: yearSeconds }),
    });
  }
  const search = new URLSearchParams(query).toString();
  const path = formPath(c.req.url, c.req.header('referer'));
  c.header('Cache-Control', 'no-store');
  return c.redirect(search ? `${path}?${search}` : path, 303);
});
