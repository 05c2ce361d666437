import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from './guarantee.module.css';
import { PaymentLogo } from './payment-logo.tsx';

const questions = ['number', 'cancel'] as const;

/** The money-back guarantee and its terms, and the questions buyers ask before they pay. */
export function Guarantee({ page, t }: PartProps<'legal'>) {
  return (
    <div className="stack gap-16">
      <section className={`notice beside gap-8 ${styles.guarantee}`}>
        <PaymentLogo name="guarantee" height={30} />
        <div className="stack gap-2 grow shrink">
          <h2 className="title-small">{t('claims.guarantee')}</h2>
          <p className="note">{t('checkout.consent')}</p>
          <a className="tap small" href={page.legal.refunds} target="_blank" rel="noreferrer">
            {t('guarantee.link')}
          </a>
        </div>
      </section>
      <div className="list">
        {questions.map((question) => (
          <details key={question}>
            <summary className={`small row spread gap-12 strong chevron ${styles.question}`}>
              {t(`checkout.faq.${question}.title`)}
            </summary>
            <p className={`note ${styles.answer}`}>{t(`checkout.faq.${question}.text`)}</p>
          </details>
        ))}
      </div>
    </div>
  );
}
