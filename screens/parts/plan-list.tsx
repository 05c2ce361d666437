import { planWords } from '../../islands/checkout/plan-words.ts';
import { money } from '../../locales/format/money.ts';
import type { Page, ScreenProps } from '../../worker/rendering/page-types.ts';

type Props = { page: Pick<Page, 'checkout' | 'language'>; text: ScreenProps['text'] };

/** The plans on sale with today's prices and their renewals. */
export function PlanList({ page: { language, checkout }, text }: Props) {
  return (
    <ul className="list">
      {checkout.plans.map((plan) => {
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
