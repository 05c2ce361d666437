import { planWords } from '../../islands/checkout/plan-words.ts';
import { money } from '../../locales/format/money.ts';
import type { Page, ScreenProps } from '../../worker/rendering/page-types.ts';
import { cyclesOf } from './plan-labels.ts';

type Props = {
  page: Pick<Page, 'checkout' | 'language'>;
  text: ScreenProps['text'];
  t: ScreenProps['t'];
};

/** The plans on sale with today's prices and their renewals. */
export function PlanList({ page: { language, checkout }, text, t }: Props) {
  const cycles = cyclesOf(checkout, t);
  const words = text['plan-picker'];
  return (
    <ul className="list">
      {checkout.plans.map((plan) => {
        const { title, renewal } = planWords(plan, words, language, cycles, checkout.plans);
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
