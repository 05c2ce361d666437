import { planWords } from '../../islands/checkout/plan-words.ts';
import { money } from '../../locales/format/money.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';

/** The plans on sale with today's prices and their renewals. */
export function PlanList({ page, text }: Pick<ScreenProps, 'page' | 'text'>) {
  const { language, plans } = page;
  return (
    <ul className="list">
      {plans.map((plan) => {
        const { title, renewal } = planWords(plan, text['plan-picker'], language);
        return (
          <li key={plan.id} className="padded row spread">
            <span className="stack">
              <span className="strong">{title}</span>
              <span className="note">
                {renewal.charAt(0).toLocaleUpperCase(language) + renewal.slice(1)}
              </span>
            </span>
            <span className="strong tabular">
              {money(plan.periodPrice, plan.currency, language)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
