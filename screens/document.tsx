import type { ReactNode } from 'react';
import { Island } from '../islands/runtime/island.tsx';
import Toast from '../islands/toast.tsx';
import type { Page, ScreenProps } from '../worker/funnel/page.ts';

interface DocumentProps extends ScreenProps {
  title: string;
  /** CSS of this screen kind, whole, and its name. */
  css: { name: string; text: string };
  /** Path of the loader script. */
  loader: string;
  children: ReactNode;
}

/** What the browser has to know of the page; nothing of it is about one visitor. */
function facts(page: Page) {
  return {
    'data-screen': page.screen,
    'data-flow': page.flow,
    'data-arm': page.arm,
    'data-landing-type': page.landingType,
    'data-kind': page.kind,
    'data-next': page.next ?? undefined,
    'data-next-kind': page.next ? page.nextKind : undefined,
    'data-entry': page.entry ? '' : undefined,
    'data-first': page.first,
    'data-signup': page.signup,
    'data-checkout': page.checkout,
    'data-storage': page.market.consent ? 'memory' : undefined,
    'data-test': page.test ? '' : undefined,
  };
}

/** The HTML document around a screen. */
export function Document(props: DocumentProps) {
  const { page, t, text, title, css, loader, children } = props;
  return (
    <html lang={page.language} dir={page.direction} data-theme={page.theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{title}</title>
        <meta name="description" content={t('document.description')} />
        {page.test && <meta name="robots" content="noindex" />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own CSS, from the build */}
        <style data-css={css.name} dangerouslySetInnerHTML={{ __html: css.text }} />
        {loader && <script type="module" async src={loader} />}
      </head>
      <body>
        <main {...facts(page)}>{children}</main>
        <Island of={Toast} when="idle" text={text.toast} />
      </body>
    </html>
  );
}
