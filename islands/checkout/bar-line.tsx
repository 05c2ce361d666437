import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import { todayOf } from '../stores/plans.ts';
import { PerPlan } from './per-plan.tsx';
import { useChosenPlan } from './use-chosen-plan.ts';

export interface BarProps {
  plans: PlanView[];
  plansAfterOffer: PlanView[];
  /** Price and renewal in one line, in the order of `plans`, then `plansAfterOffer`. */
  lines: string[];
  /** The label of today's amount. */
  today: string;
  language: string;
}

type Props = {
  bar: BarProps;
  paying?: boolean /** Whether the button's label has no amount. */;
  due?: boolean;
};

/** Above the bar's button: today's price, and the renewal where a tap starts the payment. */
export function BarLine({ bar, paying = false, due = false }: Props) {
  const { plans, plansAfterOffer, lines, today, language } = bar;
  const all = [...plans, ...plansAfterOffer];
  const { coupon } = useChosenPlan(all);
  const texts = all.map((plan, at) => {
    const now = todayOf(plan, coupon);
    const amount = `${today} ${money(now, plan.currency, language)}`;
    const isToday = due || now !== plan.periodPrice;
    const text = [(!paying || isToday) && amount, paying && lines[at]].filter(Boolean).join(' · ');
    // Another text is another element: a centred text that only changes counts as moved.
    return (
      <p key={`${plan.id} ${paying}`} className="small strong center tabular">
        {text}
      </p>
    );
  });
  return (
    <PerPlan offer={texts.slice(0, plans.length)} plansAfterOffer={texts.slice(plans.length)} />
  );
}
