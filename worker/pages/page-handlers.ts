import type { Context } from 'hono';
import type { ArticleId } from '../content/page-content.ts';
import type { ContentMap } from '../content/rules/content-schema.ts';
import { translationsFor } from '../content/translations.ts';
import { isScreenId, isTestScreen } from '../experiments/rules/flows.ts';
import { type App, isProduction } from '../platform/env.ts';
import { type ErrorCode, statuses } from '../platform/errors.ts';
import type { AccountPage } from '../rendering/account-screens.tsx';
import { articleOf, isArticleId } from '../rendering/legal-pages.ts';
import type { Page } from '../rendering/page-types.ts';
import { type Renderer, servePage } from '../rendering/serve-page.ts';

type Pages = typeof import('./pages.tsx');
type Render = (pages: Pages, content: ContentMap | undefined) => Renderer | Promise<Renderer>;

/** React and the screens load with the first page that no cache has, so most cold isolates start without them. */
async function show(
  c: Context<App>,
  id: Page['screen'],
  render: Render,
  options: { status?: number; cacheable?: boolean } = {},
): Promise<Response> {
  const content = await c.get('content');
  const load = async () => render(await import('./pages.tsx'), content?.map);
  return servePage(c, id, load, { ...options, contentVersion: content?.version });
}

const showFunnelScreen = (
  c: Context<App>,
  id: Parameters<Pages['renderScreen']>[1],
  status?: number,
) =>
  show(
    c,
    id,
    (pages, content) => pages.renderScreen(c, id, content),
    status === undefined ? {} : { status },
  );

export const showFallback = (c: Context<App>) =>
  showFunnelScreen(c, 'fallback', statuses.not_found);

export const showCrash = (c: Context<App>) => showFunnelScreen(c, 'crash', statuses.unexpected);

const accountPage = (id: AccountPage) => (c: Context<App>) =>
  show(c, id, (pages, content) => pages.renderAccountPage(c, id, content));

export const showOpenAppPage = accountPage('open_app');
export const showSignInLinkPage = accountPage('mail_link');
export const showGuidePage = accountPage('guide');
export const showInvitedPage = accountPage('invited');
export const showManagePage = accountPage('manage');
export const showCancelPage = accountPage('cancel');
export const showCardPage = accountPage('card');
/** `GET /manage/receipt`: a shell with the seller's facts. */
export const showReceiptPage = accountPage('receipt');

/** `GET /`, without a redirect. */
export const showEntry = (c: Context<App>) => {
  const first = c.get('assignment').flow[0];
  return first ? showFunnelScreen(c, first) : showFallback(c);
};

async function showArticle(c: Context<App>, id: ArticleId) {
  const { language } = c.var.visitor;
  const text = await articleOf(language, id, c.env, c.var.log);
  const render: Render = (pages, content) => pages.renderArticle(c, id, text, content);
  // Not cached when it is in English only because the language's file could not be read.
  return show(c, id, render, { cacheable: text.language === language });
}

export const showScreen = (c: Context<App>) => {
  const segment = c.req.param('screen') ?? '';
  if (isArticleId(segment)) return showArticle(c, segment);
  const id = isScreenId(segment) ? segment : c.get('assignment').configuration.aliases.get(segment);
  const isHidden = id && isTestScreen(id) && isProduction(c.env);
  return id && !isHidden ? showFunnelScreen(c, id) : showFallback(c);
};

/** Never cached. @param back path of the form on our site @param onward path of the next screen, for a number by link */
export function showNotice(
  c: Context<App>,
  code: ErrorCode,
  back?: string,
  onward?: string,
): Promise<Response> {
  const message = translationsFor(c.var.visitor.language).errors(code);
  const render: Render = (pages, content) =>
    back && onward
      ? pages.renderLinkOnly(c, message, { back, onward }, content)
      : pages.renderRefusedForm(c, message, back, content);
  return show(c, 'refused', render, { status: statuses[code], cacheable: false });
}
