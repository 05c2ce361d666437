import { ByPlan } from '../../islands/parts/by-plan.tsx';
import type { ScreenProps } from '../../worker/funnel/page.ts';
import type { PlanView } from '../../worker/funnel/plans.ts';
import { planLine } from './plan-line.ts';
import styles from './plan-lines.module.css';

/** What the chosen plan costs, now and later, in one line beside the button that leads on. */
export function PlanLines({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  const line = (plan: PlanView) => (
    <p key={plan.id} className={styles.line}>
      {planLine(plan, t, page.language)}
    </p>
  );
  return (
    <div className={styles.lines}>
      <ByPlan held={page.plans.map(line)} after={page.after.map(line)} />
    </div>
  );
}
