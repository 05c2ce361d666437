import type { ScreenProps } from '../../worker/funnel/page.ts';
import styles from './guarantee.module.css';
import { Icon } from './icon.tsx';

/** The money-back promise, its terms one tap away. */
export function Guarantee({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <section className={styles.guarantee}>
      <Icon name="back" size={24} />
      <div className={styles.words}>
        <h2 className={styles.title}>{t('guarantee.title')}</h2>
        <p className={styles.lead}>{t('guarantee.lead')}</p>
        <details>
          <summary className={styles.terms}>{t('guarantee.terms')}</summary>
          <p className={styles.lead}>
            {t('guarantee.text')} <a href={page.legal.refunds}>{t('guarantee.link')}</a>
          </p>
        </details>
      </div>
    </section>
  );
}
