import { useRef } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/funnel/plans.ts';
import { fill } from './parts/fill.ts';
import { money } from './parts/money.ts';
import { percentOf } from './parts/numerals.ts';
import { PlanItem } from './parts/plan-item.tsx';
import { pluralOf } from './parts/plural.ts';
import styles from './plan-picker.module.css';
import { useWake } from './runtime/use-wake.ts';
import { $plans, selectPlan } from './stores/plans.ts';
import { standingChoice } from './stores/standing-choice.ts';

type Words = IslandText['plan-picker'];

interface Props {
  text: Words;
  plans: PlanView[];
  /** BCP 47. */
  language: string;
  /** Narrow cards side by side. */
  upright?: boolean;
}

/** The words and sums of one plan, as the picker's item wants them. */
export function wordsOf(plan: PlanView, text: Words, language: string) {
  const amount = (minor: number) => money(minor, plan.currency, language);
  const count = plan.trialDays;
  const trial = (key: 'intro' | 'period_trial') =>
    fill(pluralOf(text, key, count, language), { count });
  const names = { month: text.monthly, quarter: text.quarterly, once: text.once };
  return {
    title: count ? trial('intro') : names[plan.period],
    renewal: count ? fill(text.then, { price: amount(plan.price) }) : text[`renews_${plan.period}`],
    period: count ? trial('period_trial') : text[`period_${plan.period}`],
    perDay: fill(text.per_day, { price: amount(plan.perDay) }),
    label: plan.savePercent
      ? fill(text.save, { percent: percentOf(plan.savePercent, language) })
      : undefined,
    oldPrice: plan.listPrice ? amount(plan.listPrice) : undefined,
    oldPriceSpoken: plan.listPrice
      ? fill(text.old_price, { price: amount(plan.listPrice) })
      : undefined,
  };
}

/** The plans on offer. What is chosen is the radios' own state; the store hears of it. */
export default function PlanPicker({ text, plans, language, upright }: Props) {
  const set = useRef<HTMLFieldSetElement>(null);
  const choose = (id: string) => {
    const chosen = plans.find((plan) => plan.id === id);
    if (chosen) selectPlan(chosen);
  };
  useWake(() => {
    const standing = standingChoice(plans, $plans.get().plan);
    const radio = set.current?.querySelector<HTMLInputElement>(`[value="${standing?.id}"]`);
    if (!standing || !radio) return;
    radio.checked = true;
    selectPlan(standing);
  });
  return (
    <fieldset ref={set} className={upright ? `${styles.plans} ${styles.upright}` : styles.plans}>
      <legend className={styles.legend}>{text.legend}</legend>
      {plans.map((plan, at) => (
        <PlanItem
          key={plan.id}
          id={plan.id}
          minor={plan.periodPrice}
          currency={plan.currency}
          language={language}
          {...wordsOf(plan, text, language)}
          chosen={at === 0}
          upright={upright}
          onChoose={choose}
        />
      ))}
    </fieldset>
  );
}
