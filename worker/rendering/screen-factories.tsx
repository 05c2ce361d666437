import type { ReactElement } from 'react';
import { Article } from '../../screens/article.tsx';
import { Checkout } from '../../screens/checkout.tsx';
import { Landing } from '../../screens/landing.tsx';
import { Notice, type NoticeKind } from '../../screens/notice.tsx';
import { marks } from '../../screens/parts/payment-logo.tsx';
import { Paywall } from '../../screens/paywall.tsx';
import { Searching } from '../../screens/searching.tsx';
import { Signup } from '../../screens/signup.tsx';
import { Upsell, upsellName } from '../../screens/upsell.tsx';
import { earlyEndsIn } from '../catalog/early-end-countries.ts';
import type { PlanView } from '../catalog/rules/plans.ts';
import type { Article as ArticleText } from '../content/page-content.ts';
import type { Company } from './company-facts.ts';
import type { Page, ScreenProps } from './page-types.ts';

/** One page: `kind` selects its CSS. */
export interface Screen {
  kind: string;
  title: (props: ScreenProps) => string;
  element: (props: ScreenProps) => ReactElement;
  /** Image files to preload with the page. The previous page loads them when idle. */
  images?: (page: Page) => readonly string[];
  /** Whether the first paint waits for the loader, because `data-need` decides which parts are visible. */
  renderBlockingLoader?: boolean;
}

type PropsOf<Kind extends (props: never) => ReactElement> = Parameters<Kind>[0];
type VariantOf<Kind extends (props: never) => ReactElement> = Omit<
  PropsOf<Kind>,
  keyof ScreenProps
>;

export const single = (
  kind: string,
  title: `${'features' | 'card' | 'questions' | 'success' | 'open' | 'mail_link' | 'guide' | 'invited' | 'manage' | 'cancel' | 'receipt' | 'test.signup'}.title`,
  Kind: (props: ScreenProps) => ReactElement,
): Screen => ({ kind, title: ({ t }) => t(title), element: (props) => <Kind {...props} /> });

const reviewPhotos = ({ reviews }: Page) => reviews.flatMap(({ img }) => img ?? []);

export const landing = (variant: PropsOf<typeof Landing>['variant']): Screen => ({
  kind: 'landing',
  title: ({ t }) => t(`landing.${variant}.title`),
  element: (props) => <Landing {...props} variant={variant} />,
  ...(variant === 'one_pager_l2' && { images: reviewPhotos }),
});

export const searching = (meter: PropsOf<typeof Searching>['meter'], alerts: boolean): Screen => ({
  kind: 'searching',
  title: ({ t }) => t('searching.title'),
  element: (props) => <Searching {...props} meter={meter} alerts={alerts} />,
  renderBlockingLoader: true,
});

export const signup = (reviews: boolean): Screen => ({
  kind: 'signup',
  title: ({ t }) => t('signup.title'),
  element: (props) => <Signup {...props} reviews={reviews} />,
  renderBlockingLoader: true,
  ...(reviews && { images: reviewPhotos }),
});

const paying = { images: () => [marks], renderBlockingLoader: true };

export const checkout = (variant: VariantOf<typeof Checkout>): Screen => ({
  kind: 'checkout',
  title: ({ t }) => t('checkout.title'),
  element: (props) => <Checkout {...props} {...variant} />,
  ...paying,
});

export const paywall = (variant: VariantOf<typeof Paywall>): Screen => ({
  kind: 'paywall',
  title: ({ t }) => t('checkout.title'),
  element: (props) => <Paywall {...props} {...variant} />,
  ...paying,
  ...(variant.reviews && { images: (page: Page) => [marks, ...reviewPhotos(page)] }),
});

export const upsell = (
  offer: PropsOf<typeof Upsell>['offer'],
  plan: (page: Page) => PlanView,
): Screen => ({
  kind: 'upsell',
  title: ({ t, page }) => upsellName({ t, offer, plan: plan(page) }),
  element: (props) => <Upsell {...props} offer={offer} plan={plan(props.page)} />,
  renderBlockingLoader: true,
});

export const notice = (kind: Exclude<NoticeKind, 'form'>): Screen => ({
  kind: 'notice',
  title: ({ t }) => t(`notice.${kind}.title`),
  element: (props) => <Notice {...props} kind={kind} />,
});

/** @param back path of the form that was refused */
export const refusedForm = (message: string, back: string | undefined): Screen => ({
  kind: 'notice',
  title: () => message,
  element: (props) => <Notice {...props} kind="form" message={message} href={back} />,
});

/** A number that gets no SMS. @param back path of its form @param onward path of the next screen */
export const linkOnly = (message: string, back: string, onward: string): Screen => ({
  kind: 'notice',
  title: () => message,
  element: (props) => {
    const { other, link } = props.text['search-progress'];
    const choice = { label: other, onward: { href: onward, label: link } };
    return <Notice {...props} kind="form" message={message} href={back} choice={choice} />;
  },
});

export const article = (text: ArticleText, company: Company): Screen => ({
  kind: 'article',
  title: () => text.title,
  element: (props) => {
    const facts = { ...company, early_end: earlyEndsIn(text.language) };
    return <Article {...props} article={text} company={facts} />;
  },
});
