import type { PageFlow, PartProps } from '../../worker/rendering/page-types.ts';
import styles from './progress.module.css';

export const stepId = 'step';

/** State fields whose presence proves that a step was completed. */
export const proofs = {
  number: 'map.phone',
  account: 'signup.token',
  plan: 'checkout.isSuccess',
  invite: undefined,
} as const;

type Step = NonNullable<PageFlow['progress']>['steps'][number];

type Props = PartProps<'flow' | 'screen'> & {
  /** The step that the visitor skipped, and is sent back to. */
  missing?: Step;
};

/** The visitor's progress in the flow: a bar for each step, filled up to the current one. */
export function Progress({ page, t, missing }: Props) {
  if (!page.flow.progress) return null;
  const { steps, further } = page.flow.progress;
  const missingAt = missing ? steps.indexOf(missing) : -1;
  const at = missingAt < 0 ? page.flow.progress.at : missingAt;
  const place = { step: at + 1, total: steps.length, name: t(`progress.${steps[at] ?? 'number'}`) };
  // An extra follows the purchase.
  const isBought = missingAt < 0 && page.screen.startsWith('upsell');
  const begun = further && missingAt < 0 ? styles.further : styles.begun;
  const current = isBought ? styles.done : begun;
  return (
    <div
      className={styles.progress}
      id={missing ? undefined : stepId}
      role="img"
      aria-label={t('progress.place', place)}
    >
      {steps.map((step, index) => (
        <span
          key={step}
          className={[styles.done, current][Math.sign(index - at) + 1]}
          data-need={missing && index < at ? proofs[step] : undefined}
        >
          {t(`progress.${step}`)}
        </span>
      ))}
    </div>
  );
}
