import { interpolate } from '../../locales/format/interpolate.ts';
import type { ChangeKind } from '../../worker/payments/purchase/change-state.ts';
import type {
  PlanRef,
  SubscriptionView,
} from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { handOver } from '../runtime/navigation/back-button.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ContinueButton } from '../ui/continue-button.tsx';
import { RadioCard } from '../ui/radio-card.tsx';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import { type PurchaseWords, planNameOf } from './purchase-text.ts';
import styles from './purchases.module.css';
import type { ChangeQuote, PlanChangeRequest } from './purchases-api.ts';

export type ChangeProps = {
  words: PurchaseWords;
  subscription: SubscriptionView;
  /** Whether renewing extras pause with it. */
  hasExtras: boolean;
  /** Id of the open step; empty for none. */
  openStep: string;
  pending: boolean;
  /** The price of the open change; null until it is known. */
  quote: ChangeQuote | null;
  onOpenStep: (step: string) => void;
  onQuote: (attempt: string, request: PlanChangeRequest, step: string) => void;
  onConfirm: (attempt: string, quote: string) => void;
  /** Makes a change that costs nothing now. */
  onPause: (attempt: string, months: number) => void;
};

/** The id of a change's button and step. */
export const changeId = (kind: ChangeKind, attempt: string): string => `change-${kind}-${attempt}`;

interface Change {
  id: string;
  label: string;
  /** What the other plan costs. */
  price?: string;
  request: PlanChangeRequest;
}

function changesOf(words: PurchaseWords, subscription: SubscriptionView): Change[] {
  const { text } = words;
  const { attempt, changes, nextPlan, paidUntil } = subscription;
  const labelOf = (kind: 'upgrade' | 'switch', plan: PlanRef) => {
    const name = planNameOf(text, plan);
    if (kind === 'upgrade') return interpolate(text.upgrade, { name });
    return interpolate(text.switch, {
      name,
      date: words.day(paidUntil ?? 0, { dateStyle: 'short' }),
    });
  };
  const withPlan = (kind: 'upgrade' | 'switch') =>
    changes[kind].map((plan) => ({
      id: changeId(kind, attempt),
      label: plan.label ?? labelOf(kind, plan),
      price: words.price({ ...subscription, ...plan }),
      request: { kind, plan: plan.id },
    }));
  const withoutPlan = (kind: 'resume' | 'continue', label: string) => ({
    id: changeId(kind, attempt),
    label,
    request: { kind },
  });
  return [
    ...withPlan('upgrade'),
    ...withPlan('switch'),
    ...(changes.resume ? [withoutPlan('resume', text.unpause)] : []),
    ...(changes.continue && nextPlan ? [withoutPlan('continue', text.keep_plan)] : []),
  ];
}

function effectOf({ words, subscription }: ChangeProps, quote: ChangeQuote): string {
  const { text } = words;
  const sum = (amount: number) => words.sum(amount, subscription);
  const plan = [...subscription.changes.upgrade, ...subscription.changes.switch].find(
    ({ id }) => id === quote.plan,
  );
  const price = words.price({ ...subscription, ...plan, price: quote.next.amount });
  const date = words.day(quote.next.at);
  const name = plan ? planNameOf(text, plan) : words.title(subscription);
  switch (quote.kind) {
    case 'upgrade': {
      const credit = sum(quote.credit);
      return interpolate(text.upgrade_what, { sum: sum(quote.amount), credit, price, date });
    }
    case 'switch':
      return interpolate(text.switch_what, { date: words.day(quote.takes_effect_at), price });
    case 'resume':
    case 'continue': {
      const about = { name, date, sum: sum(quote.amount || quote.next.amount) };
      return interpolate(quote.amount > 0 ? text.unpause_now : text.resume_what, about);
    }
    case 'pause':
      // `PauseForm` says it.
      return '';
    default:
      return quote.kind satisfies never;
  }
}

function PauseForm(props: ChangeProps) {
  const { words, subscription, hasExtras, pending, onOpenStep, onPause } = props;
  const { text } = words;
  const { attempt, changes, paidUntil, price, slot } = subscription;
  const effectUntil = (until: number) =>
    interpolate(text.pause_what, {
      from: words.day(paidUntil ?? 0),
      until: words.day(until),
      sum: words.sum(price, subscription),
    });
  return (
    <form
      className="stack gap-12"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        onPause(attempt, Number(new FormData(event.currentTarget).get('months') ?? 1));
      }}
    >
      <fieldset className="stack gap-12">
        <legend className={`strong ${styles.legend}`}>{text.pause_for}</legend>
        {changes.pauses.map((until, at) => (
          <RadioCard
            key={until}
            name="months"
            value={String(at + 1)}
            chosen={at === 0}
            label={
              <span className="stack gap-4 break">
                <span>{interpolate(text.pause_until, { date: words.day(until) })}</span>
                <span className={`note ${styles.effect}`}>{effectUntil(until)}</span>
              </span>
            }
          />
        ))}
      </fieldset>
      {slot === 'main' && hasExtras && <p className="note">{text.pause_extras}</p>}
      <ContinueButton
        id={`${changeId('pause', attempt)}-confirm`}
        label={text.pause_confirm}
        pending={pending}
      />
      <SecondaryButton
        id={`${changeId('pause', attempt)}-keep`}
        label={text.keep}
        type="button"
        onClick={() => onOpenStep('')}
      />
    </form>
  );
}

export function OpenChange(props: ChangeProps) {
  const { words, subscription, openStep, pending, quote, onOpenStep, onConfirm } = props;
  const { text } = words;
  const { attempt } = subscription;
  if (openStep === changeId('pause', attempt)) return <PauseForm {...props} />;
  if (!openStep.startsWith('change-') || !openStep.endsWith(attempt)) return null;
  if (!quote || openStep !== changeId(quote.kind, attempt)) {
    return (
      <div className={styles.quote} data-step={openStep.split('-')[1]} aria-busy="true">
        <ContinueButton type="button" label={words.confirmPayments} pending />
      </div>
    );
  }
  const all = [...subscription.changes.upgrade, ...subscription.changes.switch];
  const plan = all.find(({ id }) => id === quote.plan);
  return (
    <div className="stack gap-8">
      {plan && <p className="strong">{planNameOf(text, plan)}</p>}
      <ConfirmButton
        id={openStep}
        label=""
        description={effectOf(props, quote)}
        confirmLabel={words.confirmPayments}
        cancelLabel={text.keep}
        pending={pending}
        onOpen={() => {}}
        onCancel={() => onOpenStep('')}
        onConfirm={() => onConfirm(attempt, quote.id)}
      />
    </div>
  );
}

export function PlanChanges(props: ChangeProps) {
  const { words, subscription, openStep, pending, onOpenStep, onQuote } = props;
  const { text } = words;
  const { attempt, changes, pendingChange, challenge } = subscription;
  if (challenge) {
    const sum = words.sum(challenge.amount, subscription);
    return (
      <div className="stack gap-12">
        <p role="status">{interpolate(text.change_bank, { sum })}</p>
        <a className="link-outlined" href="/manage/card" onClick={handOver}>
          {text.change_confirm}
        </a>
      </div>
    );
  }
  if (pendingChange) return <p role="status">{text.change_pending}</p>;
  const others = changesOf(words, subscription).filter(({ id }) => id !== openStep);
  const pause = changeId('pause', attempt);
  return (
    <>
      {others.map(({ id, label, price, request }) => (
        <button
          key={id}
          className="text-button"
          id={id}
          type="button"
          aria-disabled={pending || undefined}
          onClick={() => onQuote(attempt, request, id)}
        >
          <span className="stack gap-2">
            {label}
            {price && <span className="note">{price}</span>}
          </span>
        </button>
      ))}
      {changes.pauses.length > 0 && openStep !== pause && (
        <button className="text-button" id={pause} type="button" onClick={() => onOpenStep(pause)}>
          {text.pause}
        </button>
      )}
      <OpenChange {...props} />
    </>
  );
}
