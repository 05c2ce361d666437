import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from './guarantee.module.css';
import { PaymentLogo } from './payment-logo.tsx';

/** The money-back guarantee with its terms. */
export function Guarantee({ page, t }: PartProps<'legal'>) {
  return (
    <section className={`notice beside gap-8 ${styles.guarantee}`}>
      <PaymentLogo name="guarantee" height={30} />
      <div className="stack gap-2 grow shrink">
        <h2 className="title-small">{t('claims.guarantee')}</h2>
        <p className="note">{t('checkout.consent')}</p>
        <details>
          <summary className={`row strong ${styles.terms}`}>{t('guarantee.terms')}</summary>
          <p className={`note ${styles.text}`}>
            {t('guarantee.text')} <a href={page.legal.refunds}>{t('guarantee.link')}</a>
          </p>
        </details>
      </div>
    </section>
  );
}
