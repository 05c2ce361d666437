import { build, loader } from 'virtual:client';
import type { Context } from 'hono';
import { AutoSignup } from '../screens/auto-signup.tsx';
import { Document } from '../screens/document.tsx';
import { Features } from '../screens/features.tsx';
import { Questions } from '../screens/questions.tsx';
import { Success } from '../screens/success.tsx';
import { draftTranslations, translationsFor } from './content/translations.ts';
import { type App, isProduction } from './env.ts';
import { type ErrorCode, statuses } from './errors.ts';
import { isScreenId, isTestScreen, type ScreenId } from './experiments/rules/flows.ts';
import type { ArticleId, Page, ScreenProps } from './page-types.ts';
import type { AccountPage } from './rendering/account-screens.tsx';
import { companyOf } from './rendering/company-facts.ts';
import { articleOf, isArticleId } from './rendering/legal-pages.ts';
import { cssSlot, withCss } from './rendering/page-css.ts';
import { pageProps } from './rendering/page-props.ts';
import { planDataOf } from './rendering/plan-data.ts';
import { render } from './rendering/render.tsx';
import * as kinds from './rendering/screen-factories.tsx';

/** The funnel's screens and notices. Others are legal pages, refused forms and `account-screens.tsx`. */
const screens: Record<ScreenId | 'fallback' | 'crash', kinds.Screen> = {
  one_pager: kinds.landing('one_pager'),
  one_pager_all: kinds.landing('one_pager_all'),
  one_pager_ai: kinds.landing('one_pager_ai'),
  one_pager_l1: kinds.landing('one_pager_l1'),
  one_pager_l2: kinds.landing('one_pager_l2'),
  questions: kinds.single('questions', 'questions.title', Questions),
  searching: kinds.searching('line', false),
  searching_2: kinds.searching('ring', false),
  searching_ai: kinds.searching('small', true),
  signup: kinds.signup(false),
  signup_testim: kinds.signup(true),
  features: kinds.single('features', 'features.title', Features),
  checkout_v3_tr: kinds.checkout({ plans: 'column', primaryMethod: 'card' }),
  checkout_h3_pp: kinds.checkout({ plans: 'row', primaryMethod: 'wallets' }),
  checkout_v3_pp: kinds.checkout({ plans: 'column', primaryMethod: 'wallets' }),
  checkout_h3_pp_braintree: kinds.checkout({
    plans: 'row',
    primaryMethod: 'wallets',
    provider: 'braintree',
  }),
  paycheck1_pr5_h_win: kinds.paywall({ hero: 'map', reviews: true, primaryMethod: 'card' }),
  paycheck1_pr5_h_ai: kinds.paywall({ hero: 'alerts', reviews: true, primaryMethod: 'card' }),
  paycheck_combo_3d: kinds.paywall({ hero: null, reviews: false, primaryMethod: 'wallets' }),
  upsell_an_private: kinds.upsell('an_private', (page) => page.upsell),
  upsell_guide: kinds.upsell('guide', (page) => page.guide),
  success: { ...kinds.single('success', 'success.title', Success), renderBlockingLoader: true },
  'auto-signup': kinds.single('auto-signup', 'test.signup.title', AutoSignup),
  'checkout-test': kinds.checkout({ plans: 'column', primaryMethod: 'wallets' }),
  payment_declined: { ...kinds.notice('declined'), renderBlockingLoader: true },

  fallback: kinds.notice('fallback'),
  crash: kinds.notice('crash'),
};

async function show(
  c: Context<App>,
  id: Page['screen'],
  screen: kinds.Screen,
  options: { status?: number; cacheable?: boolean } = {},
): Promise<Response> {
  const content = await c.get('content');
  const draw = () => {
    const page = pageProps(c, id, content?.map);
    const draft = c.get('preview')?.texts;
    const texts = draft ? draftTranslations(page.language, draft) : translationsFor(page.language);
    const props: ScreenProps = { page, t: texts.screens, text: texts.islands };
    const element = (
      <Document
        {...props}
        title={screen.title(props)}
        plans={planDataOf(page, texts.screens)}
        css={cssSlot}
        build={build}
        loader={loader}
        renderBlockingLoader={screen.renderBlockingLoader ?? false}
        images={screen.images?.(page) ?? []}
      >
        {screen.element(props)}
      </Document>
    );
    const insertCss = (piece: string, whole?: string) => withCss(piece, screen.kind, page, whole);
    return { element, withCss: insertCss };
  };
  return render(c, id, draw, { ...options, contentVersion: content?.version });
}

/** A page whose HTML is the same for everyone. Its code loads when the page is first requested. */
const shell = (id: AccountPage) => async (c: Context<App>) => {
  const { accountScreens } = await import('./rendering/account-screens.tsx');
  return show(c, id, accountScreens[id](companyOf(c.env)));
};

export const showOpenAppPage = shell('open_app');
export const showSignInLinkPage = shell('mail_link');
export const showGuidePage = shell('guide');
export const showInvitedPage = shell('invited');
export const showManagePage = shell('manage');
export const showCancelPage = shell('cancel');
export const showCardPage = shell('card');
/** `GET /manage/receipt`: a shell with the seller's facts. */
export const showReceiptPage = shell('receipt');

export const showFallback = (c: Context<App>) =>
  show(c, 'fallback', screens.fallback, { status: statuses.not_found });

export const showCrash = (c: Context<App>) =>
  show(c, 'crash', screens.crash, { status: statuses.unexpected });

/** `GET /`, without a redirect. */
export const showEntry = (c: Context<App>) => {
  const first = c.get('assignment').flow[0];
  const found = first && screens[first];
  return found ? show(c, first, found) : showFallback(c);
};

async function article(c: Context<App>, id: ArticleId) {
  const { language } = c.var.visitor;
  const text = await articleOf(language, id, c.env, c.var.log);
  // Not cached when it is in English only because the language's file could not be read.
  const cacheable = text.language === language;
  return show(c, id, kinds.article(text, companyOf(c.env)), { cacheable });
}

export const showScreen = (c: Context<App>) => {
  const segment = c.req.param('screen') ?? '';
  if (isArticleId(segment)) return article(c, segment);
  const id = isScreenId(segment) ? segment : c.get('assignment').configuration.aliases.get(segment);
  const hidden = id && isTestScreen(id) && isProduction(c.env);
  const found = id && !hidden && screens[id];
  return found ? show(c, id, found) : showFallback(c);
};

/** Never cached. @param back path of the form on our site */
export function showNotice(c: Context<App>, code: ErrorCode, back?: string): Promise<Response> {
  const message = translationsFor(c.var.visitor.language).errors(code);
  const options = { status: statuses[code], cacheable: false };
  return show(c, 'refused', kinds.refusedForm(message, back), options);
}
