import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import { money } from '../locales/format/money.ts';
import { offerSeconds } from '../locales/format/offer-time.ts';
import type { PlanView } from '../worker/catalog/rules/plans.ts';
import { activePlanRadios, selectedPlan } from './checkout/plan-choice.ts';
import { PlanOption } from './checkout/plan-option.tsx';
import { planStep, selectPlan } from './checkout/plan-step.ts';
import { type Cycles, type PlanTexts, planWords } from './checkout/plan-words.ts';
import styles from './plan-picker.module.css';
import { touchOnce } from './runtime/hydration/plain-step.ts';
import { formatClock } from './runtime/hydration/show-stored-state.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { announce } from './runtime/navigation/announce.ts';
import { $app, stopTimer, tickTimer } from './stores/app.ts';
import { $plans, chosenOf } from './stores/plans.ts';

interface Props {
  text: PlanTexts;
  cycles: Cycles;
  plans: PlanView[];
  /** Plans for after the offer, or after a refused intro; empty when neither can happen. */
  plansAfterOffer: PlanView[];
  /** Where the offer has a deadline: how long its price is held, what it costs then, and that it has ended. */
  deadline?: Record<'hold' | 'after' | 'over', string> | undefined;
  language: string;
  reminder?: string | undefined;
  freeReminder?: string | undefined;
  /** Narrow cards side by side. */
  narrowCards?: boolean;
}

const secondMs = 1000;

/** A reload does not restart it, and it ends with the page. */
function runCountdown(): () => void {
  tickTimer();
  const timer = setInterval(() => tickTimer(), secondMs);
  // The screen may be left as a whole document.
  addEventListener('pagehide', stopTimer);
  return () => {
    removeEventListener('pagehide', stopTimer);
    clearInterval(timer);
    stopTimer();
  };
}

type CountdownProps = { title: string; text: string; after: string; seconds: number | null };

/** How long a plan's intro price is held, and what is paid after that. */
function Countdown({ title, text, after, seconds }: CountdownProps) {
  const [before, behind] = text.split('{{time}}');
  return (
    <p className="note tabular">
      <b>{title}</b> · {before}
      <b data-fill="app.timer" suppressHydrationWarning>
        {formatClock((seconds ?? offerSeconds) * secondMs, 0)}
      </b>
      {behind} {after}
    </p>
  );
}

/** Replaces the offer's plans with the plans after the offer. */
const endOffer = () => document.querySelector('[data-order]')?.setAttribute('data-missing', '');

/** The radios hold the selection; the store follows them. */
export default function PlanPicker(props: Props) {
  const { text, cycles, plans, plansAfterOffer, deadline, language, narrowCards } = props;
  const { timerSeconds } = useStore($app, { keys: ['timerSeconds'], ssr: 'initial' });
  const sets = useRef<HTMLDivElement>(null);
  const applySelection = () => {
    const selected = selectedPlan([...plans, ...plansAfterOffer], $plans.get().plan);
    if (!selected) return;
    const radio = activePlanRadios().find(({ value }) => value === selected.id);
    if (radio) radio.checked = true;
    selectPlan(selected);
  };
  useOnHydrate(() => {
    const isOver = () => deadline !== undefined && $app.get().timerSeconds === 0;
    const end = () => {
      if (plansAfterOffer.length > 0 && (isOver() || $plans.get().introRefused)) endOffer();
      applySelection();
    };
    const stopCountdown = deadline ? runCountdown() : () => {};
    end();
    let ended = isOver();
    const island = sets.current?.closest('x-island');
    if (island) touchOnce(island, planStep);
    const stops = [
      stopCountdown,
      $app.listen(({ timerSeconds }) => {
        if (timerSeconds !== 0 || ended) return;
        ended = true;
        announce(deadline?.over ?? '');
        end();
      }),
      $plans.listen((_plans, _before, changed) => changed === 'introRefused' && end()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  });
  const offered = plans.find(({ id }) => plansAfterOffer.every((other) => other.id !== id));
  const successor = plansAfterOffer.find(({ period }) => period === offered?.period);
  const words = (plan: PlanView, shown: PlanView[]) => {
    const { beside, ...own } = planWords(plan, text, language, cycles, shown);
    const isBeside = narrowCards && shown.some(({ saving }) => saving);
    return isBeside && beside ? { ...own, ...beside } : own;
  };
  const priced = (sentence: string, { periodPrice, currency }: PlanView) =>
    interpolate(sentence, { price: money(periodPrice, currency, language) });
  const held = deadline && offered && (
    <Countdown
      title={words(offered, plans).title}
      text={priced(deadline.hold, offered)}
      after={successor ? priced(deadline.after, successor) : ''}
      seconds={timerSeconds}
    />
  );
  const set = (name: 'plan' | 'after', shown: PlanView[]) => (
    <div className={`stack gap-12 ${styles[name]}`}>
      <fieldset className={`stack gap-16 ${styles.set} ${narrowCards ? styles.narrowSet : ''}`}>
        <legend className="visually-hidden">{text.legend}</legend>
        {shown.map((plan) => (
          <PlanOption
            key={plan.id}
            id={plan.id}
            minor={plan.periodPrice}
            currency={plan.currency}
            language={language}
            {...words(plan, shown)}
            intro={plan.introDays > 0}
            reminder={plan.reminder && (plan.periodPrice ? props.reminder : props.freeReminder)}
            chosen={plan === chosenOf(shown, '')}
            upright={narrowCards}
            name={name}
          />
        ))}
      </fieldset>
      {name === 'plan' ? held : deadline && <p className="note">{deadline.over}</p>}
    </div>
  );
  return (
    <div ref={sets} className={`stack ${styles.sets}`}>
      {set('plan', plans)}
      {plansAfterOffer.length > 0 && set('after', plansAfterOffer)}
    </div>
  );
}
