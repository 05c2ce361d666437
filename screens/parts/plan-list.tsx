import type { ScreenProps } from '../../worker/page-types.ts';
import { planLine, planName } from './plan-labels.ts';

/** The plans on sale with their prices and renewals. */
export function PlanList({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  return (
    <ul className="list">
      {page.plans.map((plan) => (
        <li key={plan.id} className="padded stack">
          <span className="strong">{planName(plan, t)}</span>
          <span className="note">{planLine(plan, t, page.language)}</span>
        </li>
      ))}
    </ul>
  );
}
