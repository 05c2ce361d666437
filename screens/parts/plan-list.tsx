import { renewalText } from '../../islands/checkout/renewal-text.ts';
import { money } from '../../locales/format/money.ts';
import type { ScreenProps } from '../../worker/page-types.ts';
import { planName } from './plan-labels.ts';

/** The plans on sale with today's prices and their renewals. */
export function PlanList({ page, t, text }: ScreenProps) {
  const { language } = page;
  return (
    <ul className="list">
      {page.plans.map((plan) => {
        const renewal = renewalText(plan, text['plan-picker'], language);
        return (
          <li key={plan.id} className="padded beside spread gap-16">
            <span className="stack shrink">
              <span className="strong">{planName(plan, t)}</span>
              <span className="note">
                {renewal.charAt(0).toLocaleUpperCase(language) + renewal.slice(1)}
              </span>
            </span>
            <span className="title strong tabular">
              {money(plan.periodPrice, plan.currency, language)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
