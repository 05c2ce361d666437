import type { ScreenProps } from '../../worker/page-types.ts';
import styles from './guarantee.module.css';
import { PaymentLogo } from './payment-logo.tsx';

/** The money-back guarantee with a link to its terms. */
export function Guarantee({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <section className={`notice beside gap-8 ${styles.guarantee}`}>
      <PaymentLogo name="guarantee" height={30} />
      <div className="stack gap-2 grow shrink">
        <h2 className="title-small">{t('guarantee.title')}</h2>
        <p className={`note ${styles.lead}`}>{t('guarantee.lead')}</p>
        <details>
          <summary className={`row strong ${styles.terms}`}>{t('guarantee.terms')}</summary>
          <p className={`note ${styles.lead}`}>
            {t('guarantee.text')} <a href={page.legal.refunds}>{t('guarantee.link')}</a>
          </p>
        </details>
      </div>
    </section>
  );
}
