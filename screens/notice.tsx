import { ContinueLink } from '../islands/ui/continue-button.tsx';
import { GoogleLogo } from '../islands/ui/google-logo.tsx';
import { SecondaryLink } from '../islands/ui/secondary-button.tsx';
import type { Text } from '../locales/index.ts';
import type { Page, ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './notice.module.css';
import { Layout } from './parts/layout.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { SmallPicture } from './scene/small-picture.tsx';

/** Kinds of notices: missing page, crash, missing step, refused form and others. */
export type NoticeKind = 'declined' | 'fallback' | 'crash' | 'account' | 'purchase' | 'form';

type Props = Omit<ScreenProps, 'text'> & {
  kind: NoticeKind;
  /** For `form`: the error message shown to the visitor. */
  message?: string;
  /** Target of the button; by default the kind's own. */
  href?: string;
  /** For `form`, instead of an error: the button's label, and another way on. */
  choice?: { label: string; onward: { href: string; label: string } };
};

const hints = ['balance', 'limits', 'issuer'] as const;

function nextLink(kind: NoticeKind, page: Page, t: Text): { href: string; label: string } {
  if (kind === 'purchase')
    return { href: page.flow.checkoutPath, label: t('notice.purchase.action') };
  if (kind === 'account') return { href: page.flow.signupPath, label: t('notice.account.action') };
  if (kind === 'form') return { href: page.path, label: t('notice.form.action') };
  return { href: page.flow.firstPath, label: t('notice.start') };
}

/** The label with the name of the wallet that the checkout offered. */
function WalletLabel({ t }: Pick<Props, 't'>) {
  const [before, behind] = t('notice.declined.method', { method: '{{method}}' }).split(
    '{{method}}',
  );
  return (
    <span>
      {before}
      <bdi data-fill="checkout.otherWallet" />
      {behind}
    </span>
  );
}

/**
 * Another card first, another method where the checkout offered one, and the same card unless its bank refuses it for
 * good. What applies is stored, and shown before the first paint.
 */
function DeclinedChoice({ page, t }: Pick<Props, 'page' | 't'>) {
  const { checkoutPath } = page.flow;
  return (
    <div className="stack gap-12">
      <ContinueLink href={checkoutPath} label={t('notice.declined.other')} />
      <div className={styles.method} data-need="checkout.otherWallet" data-missing="">
        <a
          className={`link-filled ${styles.wallet}`}
          id="other-method"
          href={checkoutPath}
          data-navigate=""
        >
          <WalletLabel t={t} />
          <span
            className={`row gap-4 ${styles.google}`}
            data-need="checkout.otherIsGoogle"
            data-missing=""
            dir="ltr"
            aria-hidden="true"
          >
            <GoogleLogo />
          </span>
        </a>
      </div>
      <div className={styles.again}>
        <a className="link-outlined" id="same-card" href={checkoutPath} data-navigate="">
          {t('notice.declined.again')}
        </a>
      </div>
    </div>
  );
}

export function Notice({ page, t, kind, message, href, choice }: Props) {
  const next = nextLink(kind, page, t);
  const title = kind === 'form' ? message : t(`notice.${kind}.title`);
  const lost = kind === 'fallback' || kind === 'crash';
  const picture = lost ? 'lost' : kind === 'declined' && kind;
  return (
    <Layout page={page} t={t} scene={picture || 'number'} band={lost}>
      <PageTitle title={title ?? ''} lead={choice ? undefined : t(`notice.${kind}.lead`)} />
      {kind === 'declined' && (
        <p
          className={`strong tabular ${styles.card}`}
          data-need="checkout.declined"
          data-missing=""
        >
          <bdi data-fill="checkout.declined" />
        </p>
      )}
      {kind === 'declined' && (
        <p className={`notice ${styles.refused}`} data-need="checkout.cardRefused" data-missing="">
          {t('notice.declined.refused')}
        </p>
      )}
      {kind === 'declined' && (
        <section className={`notice stack gap-12 ${styles.hints}`}>
          <h2 className="title-small">{t('notice.declined.hints')}</h2>
          <ul className={`bullets stack gap-8 ${styles.list}`}>
            {hints.map((hint) => (
              <li key={hint}>{t(`notice.declined.${hint}`)}</li>
            ))}
          </ul>
        </section>
      )}
      {kind === 'declined' ? (
        <DeclinedChoice page={page} t={t} />
      ) : (
        <ContinueLink href={href ?? next.href} label={choice?.label ?? next.label} />
      )}
      {choice && <SecondaryLink id="onward" {...choice.onward} />}
      {kind === 'declined' && (
        <a className={`link-plain ${styles.support}`} href="/support">
          {t('notice.declined.support')}
        </a>
      )}
      {picture && (
        <div className={styles[picture]}>
          <SmallPicture t={t} of={picture} />
        </div>
      )}
    </Layout>
  );
}
