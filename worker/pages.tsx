import { loader, styles } from 'virtual:client';
import type { Context } from 'hono';
import type { ReactElement } from 'react';
import '../islands/runtime/registry.ts';
import { Checkout } from '../screens/checkout.tsx';
import { Document } from '../screens/document.tsx';
import { Landing } from '../screens/landing.tsx';
import { Notice, type NoticeKind } from '../screens/notice.tsx';
import { Searching } from '../screens/searching.tsx';
import { Signup } from '../screens/signup.tsx';
import { Success } from '../screens/success.tsx';
import { Upsell } from '../screens/upsell.tsx';
import type { App } from './env.ts';
import { type ErrorCode, statuses } from './errors.ts';
import { isScreenId, type ScreenId } from './funnel/flows.ts';
import type { ScreenProps } from './funnel/page.ts';
import { pageOf } from './page-of.ts';
import { render } from './render.tsx';
import { wordsOf } from './text.ts';

/** A screen: the kind, whose CSS it brings, the key of its title, and what fills it. */
interface Screen {
  kind: string;
  title: (props: ScreenProps) => string;
  element: (props: ScreenProps) => ReactElement;
}

type Extent = 'bare' | 'steps' | 'long';
type Variant = Parameters<typeof Landing>[0]['variant'];

const landing = (variant: Variant, extent: Extent): Screen => ({
  kind: 'landing',
  title: ({ t }) => t(`landing.${variant}.title`),
  element: (props) => <Landing {...props} variant={variant} extent={extent} />,
});
const searching: Screen = {
  kind: 'searching',
  title: ({ t }) => t('searching.title'),
  element: (props) => <Searching {...props} />,
};
const signup: Screen = {
  kind: 'signup',
  title: ({ t }) => t('signup.title'),
  element: (props) => <Signup {...props} />,
};
const checkout: Screen = {
  kind: 'checkout',
  title: ({ t }) => t('checkout.title'),
  element: (props) => <Checkout {...props} />,
};
const anonymousAndPrivate: Screen = {
  kind: 'upsell',
  title: ({ t }) => t('upsell.an_private.title'),
  element: (props) => <Upsell {...props} plan={props.page.upsell} />,
};
const success: Screen = {
  kind: 'success',
  title: ({ t }) => t('success.title'),
  element: (props) => <Success {...props} />,
};
const says = (kind: Exclude<NoticeKind, 'form'>): Screen => ({
  kind: 'notice',
  title: ({ t }) => t(`notice.${kind}.title`),
  element: (props) => <Notice {...props} kind={kind} />,
});

/** The funnel on one page. */
const screens: Partial<Record<ScreenId, Screen>> = {
  one_pager: landing('one_pager', 'steps'),
  one_pager_all: landing('one_pager_all', 'steps'),
  one_pager_ai: landing('one_pager_ai', 'steps'),
  one_pager_l1: landing('one_pager_l1', 'bare'),
  one_pager_l2: landing('one_pager_l2', 'long'),
  searching,
  signup,
  checkout_v3_tr: checkout,
  upsell_an_private: anonymousAndPrivate,
  success,
  payment_declined: says('declined'),
};

function show(
  c: Context<App>,
  id: ScreenId | 'fallback' | 'crash' | 'refused',
  screen: Screen,
  answer: { status?: number; kept?: boolean } = {},
): Promise<Response> {
  const page = pageOf(c, id);
  const words = wordsOf(c.var.visitor.language);
  const props: ScreenProps = { page, t: words.screens, text: words.islands };
  const element = () => (
    <Document
      {...props}
      title={screen.title(props)}
      css={{ base: styles.document ?? '', [screen.kind]: styles[screen.kind] ?? '' }}
      loader={loader}
    >
      {screen.element(props)}
    </Document>
  );
  return render(c, page, element, answer);
}

/** `GET /`: the first screen of the visitor's flow, without a redirect. */
export const entry = (c: Context<App>) => {
  const first = c.var.assignment.flow[0];
  const found = first && screens[first];
  return found ? show(c, first, found) : fallback(c);
};

/** `GET /:screen`: a screen by its id or alias; anything else is the fallback. */
export const screen = (c: Context<App>) => {
  const segment = c.req.param('screen') ?? '';
  const id = isScreenId(segment) ? segment : c.var.assignment.configuration.aliases.get(segment);
  const found = id && screens[id];
  return found ? show(c, id, found) : fallback(c);
};

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
  const message = wordsOf(c.var.visitor.language).errors(code);
  const refused: Screen = {
    kind: 'notice',
    title: () => message,
    element: (props) => <Notice {...props} kind="form" message={message} href={back} />,
  };
  return show(c, 'refused', refused, { status: statuses[code], kept: false });
}
