import { build, loader, styles } from 'virtual:client';
import type { Context } from 'hono';
import type { ReactElement } from 'react';
import '../islands/runtime/hydration/island-registry.ts';
import { Article } from '../screens/article.tsx';
import { AutoSignup } from '../screens/auto-signup.tsx';
import { Checkout } from '../screens/checkout.tsx';
import { Document } from '../screens/document.tsx';
import { Features } from '../screens/features.tsx';
import { Guide } from '../screens/guide.tsx';
import { Invited } from '../screens/invited.tsx';
import { Landing } from '../screens/landing.tsx';
import { MyAccountScreen } from '../screens/my-account.tsx';
import { Notice, type NoticeKind } from '../screens/notice.tsx';
import { OpenAppScreen } from '../screens/open-app.tsx';
import { marks } from '../screens/parts/payment-logo.tsx';
import { Paywall } from '../screens/paywall.tsx';
import { Searching } from '../screens/searching.tsx';
import { SignInLinkScreen } from '../screens/sign-in-link.tsx';
import { Signup } from '../screens/signup.tsx';
import { Success } from '../screens/success.tsx';
import { Upsell } from '../screens/upsell.tsx';
import type { PlanView } from './catalog/plans.ts';
import { translationsFor } from './content/translations.ts';
import { type App, isProduction } from './env.ts';
import { type ErrorCode, statuses } from './errors.ts';
import { isScreenId, isTestScreen, type ScreenId } from './experiments/rules/flows.ts';
import type { ArticleId, Page, ScreenProps } from './page-types.ts';
import { companyOf } from './rendering/company-facts.ts';
import { articleOf, isArticleId } from './rendering/legal-pages.ts';
import { pageProps } from './rendering/page-props.ts';
import { planDataOf } from './rendering/plan-data.ts';
import { render } from './rendering/render.tsx';

/** A screen: the kind, whose CSS it brings, the key of its title, and what fills it. */
interface Screen {
  kind: string;
  title: (props: ScreenProps) => string;
  element: (props: ScreenProps) => ReactElement;
  /** Images that are files, fetched with the page and ahead of it; scenes are part of the HTML. */
  images?: (page: Page) => readonly string[];
  /** Whether the loader decides what is shown, before the first paint: `need` of the frame. */
  renderBlockingLoader?: boolean;
}

type PropsOf<Kind extends (props: never) => ReactElement> = Parameters<Kind>[0];

/** A kind that has one page. */
const single = (
  kind: string,
  title: `${'features' | 'success' | 'open' | 'mail_link' | 'guide' | 'invited' | 'test.signup'}.title`,
  Kind: (props: ScreenProps) => ReactElement,
): Screen => ({ kind, title: ({ t }) => t(title), element: (props) => <Kind {...props} /> });
/** The people whose reviews a page shows. */
const faces = ({ reviews }: Page) => reviews.flatMap(({ img }) => img ?? []);
const landing = (variant: PropsOf<typeof Landing>['variant']): Screen => ({
  kind: 'landing',
  title: ({ t }) => t(`landing.${variant}.title`),
  element: (props) => <Landing {...props} variant={variant} />,
  ...(variant === 'one_pager_l2' && { images: faces }),
});
const searching = (meter: PropsOf<typeof Searching>['meter'], alerts: boolean): Screen => ({
  kind: 'searching',
  title: ({ t }) => t('searching.title'),
  element: (props) => <Searching {...props} meter={meter} alerts={alerts} />,
});
const signup = (reviews: boolean): Screen => ({
  kind: 'signup',
  title: ({ t }) => t('signup.title'),
  element: (props) => <Signup {...props} reviews={reviews} />,
  ...(reviews && { images: faces }),
});
const paying = { images: () => [marks], renderBlockingLoader: true };
const checkout = (variant: Omit<PropsOf<typeof Checkout>, keyof ScreenProps>): Screen => ({
  kind: 'checkout',
  title: ({ t }) => t('checkout.title'),
  element: (props) => <Checkout {...props} {...variant} />,
  ...paying,
});
const paywall = (variant: Omit<PropsOf<typeof Paywall>, keyof ScreenProps>): Screen => ({
  kind: 'paywall',
  title: ({ t }) => t('checkout.title'),
  element: (props) => <Paywall {...props} {...variant} />,
  ...paying,
  ...(variant.reviews && { images: (page: Page) => [marks, ...faces(page)] }),
});
const upsell = (
  offer: PropsOf<typeof Upsell>['offer'],
  plan: (page: ScreenProps['page']) => PlanView,
): Screen => ({
  kind: 'upsell',
  title: ({ t }) => t(`upsell.${offer}.title`),
  element: (props) => <Upsell {...props} offer={offer} plan={plan(props.page)} />,
  renderBlockingLoader: true,
});
const says = (kind: Exclude<NoticeKind, 'form'>): Screen => ({
  kind: 'notice',
  title: ({ t }) => t(`notice.${kind}.title`),
  element: (props) => <Notice {...props} kind={kind} />,
});

/** The funnel on one page. */
const screens: Record<ScreenId, Screen> = {
  one_pager: landing('one_pager'),
  one_pager_all: landing('one_pager_all'),
  one_pager_ai: landing('one_pager_ai'),
  one_pager_l1: landing('one_pager_l1'),
  one_pager_l2: landing('one_pager_l2'),
  searching: searching('line', false),
  searching_2: searching('ring', false),
  searching_ai: searching('small', true),
  signup: signup(false),
  signup_testim: signup(true),
  features: single('features', 'features.title', Features),
  checkout_v3_tr: checkout({ plans: 'column', primaryMethod: 'card' }),
  checkout_h3_pp: checkout({ plans: 'row', primaryMethod: 'wallets' }),
  checkout_v3_pp: checkout({ plans: 'column', primaryMethod: 'wallets' }),
  checkout_h3_pp_braintree: checkout({
    plans: 'row',
    primaryMethod: 'wallets',
    provider: 'braintree',
  }),
  paycheck1_pr5_h_win: paywall({ hero: 'map', reviews: true, primaryMethod: 'card' }),
  paycheck1_pr5_h_ai: paywall({ hero: 'alerts', reviews: true, primaryMethod: 'card' }),
  paycheck_combo_3d: paywall({ hero: null, reviews: false, primaryMethod: 'wallets' }),
  upsell_an_private: upsell('an_private', ({ upsell }) => upsell),
  upsell_guide: upsell('guide', ({ guide }) => guide),
  success: { ...single('success', 'success.title', Success), renderBlockingLoader: true },
  'auto-signup': single('auto-signup', 'test.signup.title', AutoSignup),
  'checkout-test': checkout({ plans: 'column', primaryMethod: 'wallets' }),
  payment_declined: says('declined'),
};

async function show(
  c: Context<App>,
  id: Page['screen'],
  screen: Screen,
  answer: { status?: number; kept?: boolean } = {},
): Promise<Response> {
  const content = await c.get('content');
  const element = () => {
    const page = pageProps(c, id, content?.map);
    const words = translationsFor(page.language);
    const props: ScreenProps = { page, t: words.screens, text: words.islands };
    const next = page.next?.slice(1) ?? '';
    return (
      <Document
        {...props}
        title={screen.title(props)}
        plans={planDataOf(page, words.screens)}
        css={{ base: styles.document ?? '', [screen.kind]: styles[screen.kind] ?? '' }}
        build={build}
        loader={loader}
        renderBlockingLoader={screen.renderBlockingLoader ?? false}
        images={screen.images?.(page) ?? []}
        prefetchImages={(isScreenId(next) && screens[next].images?.(page)) || []}
      >
        {screen.element(props)}
      </Document>
    );
  };
  return render(c, id, element, { ...answer, content: content?.version });
}

/** `GET /`: the first screen of the visitor's flow, without a redirect. */
export const entry = (c: Context<App>) => {
  const first = c.var.assignment.flow[0];
  const found = first && screens[first];
  return found ? show(c, first, found) : fallback(c);
};

/** A legal or support page. */
async function article(c: Context<App>, id: ArticleId) {
  const words = await articleOf(c.var.visitor.language, id, c.env);
  return show(c, id, {
    kind: 'article',
    title: () => words.title,
    element: (props) => <Article {...props} article={words} company={companyOf(c.env)} />,
  });
}

/** `GET /:screen`: a screen by its id or alias, a legal page; anything else is the fallback. */
export const screen = (c: Context<App>) => {
  const segment = c.req.param('screen') ?? '';
  if (isArticleId(segment)) return article(c, segment);
  const id = isScreenId(segment) ? segment : c.var.assignment.configuration.aliases.get(segment);
  const hidden = id && isTestScreen(id) && isProduction(c.env);
  const found = id && !hidden && screens[id];
  return found ? show(c, id, found) : fallback(c);
};

/** `GET /d`: where a link into the app leads without the app. */
export const openApp = (c: Context<App>) =>
  show(c, 'open_app', single('open-app', 'open.title', OpenAppScreen));

/** `GET /m`: where the link in a mail leads. */
export const mailedLink = (c: Context<App>) =>
  show(c, 'mail_link', single('mailed-link', 'mail_link.title', SignInLinkScreen));

/** `GET /guide`: the shell of the guide, the same for all. */
export const guide = (c: Context<App>) => show(c, 'guide', single('guide', 'guide.title', Guide));

/** `GET /i`: where an invitation leads, the same for all. */
export const invited = (c: Context<App>) =>
  show(c, 'invited', single('invited', 'invited.title', Invited));

const mine = (page: PropsOf<typeof MyAccountScreen>['mode']): Screen => ({
  kind: 'my-account',
  title: ({ t }) => t(`${page}.title`),
  element: (props) => <MyAccountScreen {...props} mode={page} />,
});

/** `GET /manage`: what an account bought; a shell, the same for all. */
export const manage = (c: Context<App>) => show(c, 'manage', mine('manage'));

/** `GET /cancel`: the way out, for everybody. */
export const cancel = (c: Context<App>) => show(c, 'cancel', mine('cancel'));

/** What an address that leads nowhere shows. */
export const fallback = (c: Context<App>) =>
  show(c, 'fallback', says('fallback'), { status: statuses.not_found });

/** What is shown when something broke on our side. */
export const crash = (c: Context<App>) =>
  show(c, 'crash', says('crash'), { status: statuses.unexpected });

/**
 * What a form that was refused shows.
 *
 * @param back our own path that leads back to the form
 */
export function notice(c: Context<App>, code: ErrorCode, back?: string): Promise<Response> {
  const message = translationsFor(c.var.visitor.language).errors(code);
  const refused: Screen = {
    kind: 'notice',
    title: () => message,
    element: (props) => <Notice {...props} kind="form" message={message} href={back} />,
  };
  return show(c, 'refused', refused, { status: statuses[code], kept: false });
}
