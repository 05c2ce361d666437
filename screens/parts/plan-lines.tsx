import type { ScreenProps } from '../../worker/funnel/page.ts';
import { planLine } from './plan-line.ts';
import styles from './plan-lines.module.css';

/** What the chosen plan costs, now and later, in one line beside the button that leads on. */
export function PlanLines({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <div className={styles.lines}>
      {page.plans.map((plan) => (
        <p key={plan.id} className={styles.line}>
          {planLine(plan, t, page.language)}
        </p>
      ))}
    </div>
  );
}
