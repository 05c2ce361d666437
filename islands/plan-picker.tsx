import { useRef } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import { activePlanRadios, selectedPlan } from './checkout/plan-choice.ts';
import { PlanOption } from './checkout/plan-option.tsx';
import { planStep, selectPlan } from './checkout/plan-step.ts';
import { planWords } from './checkout/plan-words.ts';
import styles from './plan-picker.module.css';
import { touchOnce } from './runtime/hydration/plain-step.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $app } from './stores/app.ts';
import { $plans, chosenOf } from './stores/plans.ts';

interface Props {
  text: IslandText['plan-picker'];
  plans: PlanView[];
  /** Plans for after the offer, or after a refused intro; empty when neither can happen. */
  plansAfterOffer: PlanView[];
  /** Whether the offer has a deadline. */
  offerExpires?: boolean;
  language: string;
  /** Narrow cards side by side. */
  narrowCards?: boolean;
}

/** Replaces the offer's plans with the plans after the offer. */
const endOffer = () => document.querySelector('[data-order]')?.setAttribute('data-missing', '');

/** The radios hold the selection; the store follows them. */
export default function PlanPicker(props: Props) {
  const { text, plans, plansAfterOffer, language, narrowCards } = props;
  const { offerExpires = plansAfterOffer.length > 0 } = props;
  const sets = useRef<HTMLDivElement>(null);
  const applySelection = () => {
    const selected = selectedPlan([...plans, ...plansAfterOffer], $plans.get().plan);
    if (!selected) return;
    const radio = activePlanRadios().find(({ value }) => value === selected.id);
    if (radio) radio.checked = true;
    selectPlan(selected);
  };
  useOnHydrate(() => {
    const isOver = () => offerExpires && $app.get().timerSeconds === 0;
    const end = () => {
      if (plansAfterOffer.length > 0 && (isOver() || $plans.get().introRefused)) endOffer();
      applySelection();
    };
    end();
    const island = sets.current?.closest('x-island');
    if (island) touchOnce(island, planStep);
    const stops = [
      $app.listen(({ timerSeconds }) => timerSeconds === 0 && end()),
      $plans.listen((_plans, _before, changed) => changed === 'introRefused' && end()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  });
  const set = (name: 'plan' | 'after', shown: PlanView[]) => (
    <div className={styles[name]}>
      <fieldset className={`stack gap-16 ${styles.set} ${narrowCards ? styles.narrowSet : ''}`}>
        <legend className="visually-hidden">{text.legend}</legend>
        {shown.map((plan) => (
          <PlanOption
            key={plan.id}
            id={plan.id}
            minor={plan.periodPrice}
            currency={plan.currency}
            language={language}
            {...planWords(plan, text, language, shown)}
            chosen={plan === chosenOf(shown, '')}
            upright={narrowCards}
            name={name}
          />
        ))}
      </fieldset>
    </div>
  );
  return (
    <div ref={sets} className={`stack ${styles.sets}`}>
      {set('plan', plans)}
      {plansAfterOffer.length > 0 && set('after', plansAfterOffer)}
    </div>
  );
}
