import { ContinueLink } from '../islands/ui/continue-button.tsx';
import { GoogleLogo } from '../islands/ui/google-logo.tsx';
import { SecondaryLink } from '../islands/ui/secondary-button.tsx';
import type { Text } from '../locales/index.ts';
import type { Page, ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './notice.module.css';
import { Filled } from './parts/filled.tsx';
import { Icon } from './parts/icon.tsx';
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

/** What was declined, and what helps. What applies is stored, and shown before the first paint. */
function DeclinedReason({ t }: Pick<Props, 't'>) {
  return (
    <>
      <p
        className={`card row gap-12 strong tabular ${styles.card}`}
        data-need="checkout.declined"
        data-missing=""
      >
        <Icon name="card" />
        <bdi data-fill="checkout.declined" />
      </p>
      <p className={`notice ${styles.refused}`} data-need="checkout.cardRefused" data-missing="">
        {t('notice.declined.refused')}
      </p>
      <section className={`notice stack gap-12 ${styles.hints}`}>
        <h2 className="title-small">{t('notice.declined.hints')}</h2>
        <ul className={`bullets stack gap-8 ${styles.list}`}>
          <li className={styles.second} data-need="checkout.declinedAgain" data-missing="">
            {t('notice.declined.bank')}
          </li>
          <li className={styles.byWallet} data-need="checkout.declinedWallet" data-missing="">
            <Filled
              text={t('notice.declined.wallet', { wallet: '{{value}}' })}
              field="checkout.declinedWallet"
            />
          </li>
          {hints.map((hint) => (
            <li key={hint}>{t(`notice.declined.${hint}`)}</li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Another card first, another method where the checkout offered one, and the same card unless its bank refuses it for good. */
function DeclinedChoice({ page, t }: Pick<Props, 'page' | 't'>) {
  const { checkoutPath } = page.flow;
  const card = `${checkoutPath}#card`;
  const label = (
    <>
      <span className={styles.otherCard}>{t('notice.declined.other')}</span>
      <span className={styles.byCard}>{t('checkout.pay')}</span>
    </>
  );
  return (
    <div className="stack gap-12">
      <ContinueLink href={card} label={label} />
      <div className={styles.method} data-need="checkout.otherWallet" data-missing="">
        <a
          className={`link-filled ${styles.wallet}`}
          id="other-method"
          href={`${checkoutPath}#methods`}
          data-navigate=""
        >
          <span>
            <Filled
              text={t('notice.declined.method', { method: '{{value}}' })}
              field="checkout.otherWallet"
            />
          </span>
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
        <a className="link-outlined" id="same-card" href={`${checkoutPath}#again`} data-navigate="">
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
  const isDeclined = kind === 'declined';
  const picture = lost ? 'lost' : isDeclined && kind;
  const lead = t(`notice.${kind}.lead`);
  return (
    <Layout page={page} t={t} scene={picture || 'number'} band={lost}>
      <PageTitle title={title ?? ''} lead={choice || isDeclined ? undefined : lead}>
        {isDeclined && (
          <p className="lead">
            <span className={styles.second} data-need="checkout.declinedAgain" data-missing="">
              {`${t('notice.declined.second')} `}
            </span>
            {lead}
          </p>
        )}
      </PageTitle>
      {isDeclined && <DeclinedReason t={t} />}
      {isDeclined ? (
        <DeclinedChoice page={page} t={t} />
      ) : (
        <ContinueLink href={href ?? next.href} label={choice?.label ?? next.label} />
      )}
      {choice && <SecondaryLink id="onward" {...choice.onward} />}
      {isDeclined && (
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
