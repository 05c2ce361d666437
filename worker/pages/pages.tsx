import { build, loader } from 'virtual:client';
import type { Context } from 'hono';
import { AutoSignup } from '../../screens/auto-signup.tsx';
import { Document } from '../../screens/document.tsx';
import { Features } from '../../screens/features.tsx';
import { Questions } from '../../screens/questions.tsx';
import { Success } from '../../screens/success.tsx';
import type { Article, ArticleId } from '../content/page-content.ts';
import type { ContentMap } from '../content/rules/content-schema.ts';
import {
  draftTranslations,
  type Translations,
  translationsFor,
  variantTranslations,
} from '../content/translations.ts';
import type { ScreenId } from '../experiments/rules/flows.ts';
import { mergedTexts, textsOn } from '../experiments/variant-texts.ts';
import type { App } from '../platform/env.ts';
import type { AccountPage } from '../rendering/account-screens.tsx';
import { companyOf } from '../rendering/company-facts.ts';
import { cssSlot, withCss } from '../rendering/page-css.ts';
import { pageProps } from '../rendering/page-props.ts';
import type { Page, ScreenProps } from '../rendering/page-types.ts';
import { planDataOf } from '../rendering/plan-data.ts';
import { renderer } from '../rendering/render.tsx';
import * as kinds from '../rendering/screen-factories.tsx';
import type { Renderer } from '../rendering/serve-page.ts';

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
  upsell_an_private: kinds.upsell('an_private', (page) => page.extras.upsell),
  upsell_guide: kinds.upsell('guide', (page) => page.extras.guide),
  success: { ...kinds.single('success', 'success.title', Success), renderBlockingLoader: true },
  'auto-signup': kinds.single('auto-signup', 'test.signup.title', AutoSignup),
  'checkout-test': kinds.checkout({ plans: 'column', primaryMethod: 'wallets' }),
  payment_declined: { ...kinds.notice('declined'), renderBlockingLoader: true },

  fallback: kinds.notice('fallback'),
  crash: kinds.notice('crash'),
};

/** Content for a page from the content service. */
type Content = ContentMap | undefined;

/** With the unpublished texts of a preview, or those of the visitor's variants. */
function textsFor(c: Context<App>, id: Page['screen']): Translations {
  const { language } = c.var.visitor;
  const draft = c.get('preview')?.texts;
  if (draft) return draftTranslations(language, draft);
  const { configuration, variants } = c.var.assignment;
  const changes = textsOn(id, variants);
  if (changes.length === 0) return translationsFor(language);
  const key = [configuration.version, ...changes.map(({ arm }) => arm)].join('|');
  return variantTranslations(language, mergedTexts(changes, language), key);
}

function render(
  c: Context<App>,
  id: Page['screen'],
  screen: kinds.Screen,
  content: Content,
): Renderer {
  const texts = textsFor(c, id);
  const page = pageProps(c, id, texts, content);
  const props: ScreenProps = { page, t: texts.screens, text: texts.islands };
  const element = (
    <Document
      {...props}
      title={screen.title(props)}
      plans={planDataOf(page, c.var.assignment.configuration.catalog, texts.screens)}
      css={cssSlot}
      build={build}
      loader={loader}
      renderBlockingLoader={screen.renderBlockingLoader ?? false}
      images={screen.images?.(page) ?? []}
    >
      {screen.element(props)}
    </Document>
  );
  return renderer(c, element, (piece, whole) => withCss(piece, screen.kind, page, whole));
}

export const renderScreen = (c: Context<App>, id: keyof typeof screens, content: Content) =>
  render(c, id, screens[id], content);

/** A page whose HTML is the same for everyone. Its code loads when the page is first requested. */
export async function renderAccountPage(c: Context<App>, id: AccountPage, content: Content) {
  const { accountScreens } = await import('../rendering/account-screens.tsx');
  return render(c, id, accountScreens[id](companyOf(c.env)), content);
}

export const renderArticle = (c: Context<App>, id: ArticleId, text: Article, content: Content) =>
  render(c, id, kinds.article(text, companyOf(c.env)), content);

/** @param back path of the form on our site */
export const renderRefusedForm = (
  c: Context<App>,
  message: string,
  back: string | undefined,
  content: Content,
) => render(c, 'refused', kinds.refusedForm(message, back), content);

/** @param back path of the number's form @param onward path of the next screen */
export const renderLinkOnly = (
  c: Context<App>,
  message: string,
  { back, onward }: { back: string; onward: string },
  content: Content,
) => render(c, 'refused', kinds.linkOnly(message, back, onward), content);
