import type { ScreenProps } from '../../worker/page-types.ts';
import styles from './progress.module.css';

export const stepId = 'step';

/** Where the visitor is in the flow: a bar for each step, filled up to here; not where one is missing. */
export function Progress({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  if (!page.progress) return null;
  const { steps, at, further } = page.progress;
  const place = { step: at + 1, total: steps.length, name: t(`progress.${steps[at] ?? 'number'}`) };
  const looks = [styles.done, further ? styles.further : styles.begun];
  return (
    <div
      className={styles.progress}
      id={stepId}
      role="img"
      aria-label={t('progress.place', place)}
      data-with=""
    >
      {steps.map((step, index) => (
        <span key={step} className={index > at ? undefined : looks[index < at ? 0 : 1]}>
          {t(`progress.${step}`)}
        </span>
      ))}
    </div>
  );
}
