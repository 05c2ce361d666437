import type { ReactNode } from 'react';
import './styles/tokens.css';
import './styles/base.css';
import './styles/primitives.css';
import ConsentBanner from '../islands/consent-banner.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import Toast from '../islands/toast.tsx';
import type { Page, ScreenProps } from '../worker/rendering/page-types.ts';

interface DocumentProps extends ScreenProps {
  title: string;
  css: string;
  /** Build id of the document and its files. */
  build: string;
  loader: string;
  /** Whether the first paint waits for the loader, because stored state decides which parts are shown. */
  renderBlockingLoader: boolean;
  /** Catalog data by plan id, repeated in purchases; null where nothing is sold. */
  plans?: Record<string, object> | null;
  /** Paths of this screen's images, and of the next screen's. */
  images: readonly string[];
  children: ReactNode;
}

/** Data attributes of `<main>`; they contain nothing about one visitor. */
function facts(page: Page, plans: DocumentProps['plans']) {
  const { flow, document } = page;
  const { terms, pixels, scriptHosts } = document;
  return {
    'data-screen': page.screen,
    'data-flow': flow.name,
    'data-arm': flow.arm,
    'data-landing-type': flow.landingType,
    'data-kind': page.kind,
    'data-next': flow.next ?? undefined,
    'data-next-kind': flow.next ? flow.nextKind : undefined,
    'data-entry': flow.backLeavesSite ? '' : undefined,
    'data-terms': terms ?? undefined,
    'data-plans': plans ? JSON.stringify(plans) : undefined,
    'data-first': flow.firstPath,
    'data-number': flow.numberPath,
    'data-search': flow.searchPath,
    'data-signup': flow.signupPath,
    'data-checkout': flow.checkoutPath,
    'data-storage': page.market.consent ? 'memory' : undefined,
    'data-scripts': scriptHosts || undefined,
    'data-pixels': pixels ? JSON.stringify(pixels) : undefined,
    'data-test': page.isTestMode ? '' : undefined,
  };
}

const blocking = { blocking: 'render' };

function Head(props: DocumentProps) {
  const { page, t, title, css, loader, renderBlockingLoader, images } = props;
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{title}</title>
      {page.document.previewImageUrl && (
        <meta name="description" content={t('document.description')} />
      )}
      {page.kind === 'private' && <meta name="description" content={t('invited.lead')} />}
      {/* Visitors come from ads; search engines would show one variant to everybody. */}
      <meta name="robots" content="noindex" />
      {page.document.previewImageUrl && (
        <>
          <meta property="og:title" content={title} />
          <meta property="og:image" content={page.document.previewImageUrl} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      <link rel="icon" href="/favicon.svg" />
      {page.fonts && <script src={page.fonts.script} data-faces="" />}
      <style data-css="" dangerouslySetInnerHTML={{ __html: css }} />
      {images.map((path) => (
        <link key={path} rel="preload" as="image" href={path} />
      ))}
      {/* A centred column would move while the rest of the page loads. */}
      <link rel="expect" href="#end" {...blocking} media="(min-width: 432px)" />
      {loader && renderBlockingLoader && <script type="module" {...blocking} src={loader} />}
      {loader && !renderBlockingLoader && (
        <script type="module" async fetchPriority="low" src={loader} />
      )}
    </head>
  );
}

export function Document(props: DocumentProps) {
  const { page, text, plans, build, children } = props;
  return (
    <html
      lang={page.language}
      dir={page.direction}
      data-theme={page.theme}
      data-fonts={page.fonts?.family}
      data-build={build}
    >
      <Head {...props} />
      <body>
        <main {...facts(page, plans)}>{children}</main>
        <div id="end" />
        <Island of={Toast} when="idle" text={text.toast} />
        {page.kind === 'ordinary' && (
          <Island
            of={ConsentBanner}
            when="idle"
            text={text['consent-banner']}
            consentRequired={page.market.consent && page.screen !== 'payment_declined'}
            cookiePolicy={page.legal.cookies}
          />
        )}
      </body>
    </html>
  );
}
