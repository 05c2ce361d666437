import { interpolate } from '../../locales/format/interpolate.ts';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { handOver } from '../runtime/navigation/back-button.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FactList } from './fact-list.tsx';
import { type ChangeProps, PlanChanges } from './plan-changes.tsx';
import { isLive, type PurchaseWords } from './purchase-text.ts';
import styles from './purchases.module.css';

export type PurchaseAction = 'cancel' | 'resume' | 'withdraw' | 'claim';

type Action = { action: PurchaseAction; label: string; description: string; confirm: string };

type Props = Pick<ChangeProps, 'quote' | 'onQuote' | 'onConfirm' | 'onPause'> & {
  words: PurchaseWords;
  subscriptions: readonly SubscriptionView[];
  /** Attempt ids that the money-back guarantee refunds now. */
  refundableAttempts: readonly string[];
  /** Id of the open confirmation step; empty for none. */
  openStep: string;
  pending: boolean;
  onOpenStep: (step: string) => void;
  onAction: (action: PurchaseAction, attempt: string) => void;
};

type Offered = Pick<Props, 'words' | 'subscriptions' | 'refundableAttempts'> & {
  subscription: SubscriptionView;
};

function cancelling({ words, subscriptions, subscription }: Offered): Action {
  const { text } = words;
  const extras = subscriptions.some(({ slot, next }) => slot !== 'main' && next);
  const sentences = [
    words.cancellation(subscription),
    subscription.slot === 'main' && extras && text.cancel_extras,
    text.undo,
  ];
  const description = sentences.filter(Boolean).join(' ');
  return { action: 'cancel', label: text.cancel, description, confirm: text.cancel_confirm };
}

function resuming({ words, subscription }: Offered): Action {
  const { text } = words;
  const sum = words.sum(subscription.price, subscription);
  const { later } = subscription;
  const full = later && ` ${words.day(later.at)}: ${words.price({ ...subscription, ...later })}`;
  const description = interpolate(text.resume_what, {
    name: words.title(subscription),
    sum,
    date: words.day(subscription.paidUntil ?? 0),
  });
  return {
    action: 'resume',
    label: text.resume,
    description: description + (full ?? ''),
    confirm: words.confirmPayments,
  };
}

const isLiveExtra = (each: SubscriptionView) => each.slot !== 'main' && isLive(each);

function withdrawing({ words, subscriptions, subscription }: Offered, last: number): Action {
  const { text } = words;
  const description = interpolate(text.withdraw_what, {
    name: words.title(subscription),
    sum: words.withdrawalSum(subscriptions, subscription),
    date: words.day(last, { timeZone: 'UTC' }),
  });
  const extras = subscription.slot === 'main' && subscriptions.some(isLiveExtra);
  return {
    action: 'withdraw',
    label: text.withdraw,
    description: extras ? `${description} ${text.cancel_extras}` : description,
    confirm: text.withdraw_confirm,
  };
}

function claiming({ words, subscriptions, subscription, refundableAttempts }: Offered): Action {
  const { text } = words;
  const refunded = subscriptions.filter(({ attempt }) => refundableAttempts.includes(attempt));
  const sum = words.guaranteeSum(refunded, subscription);
  return {
    action: 'claim',
    label: text.guarantee,
    description: interpolate(text.guarantee_what, { sum }),
    confirm: interpolate(text.guarantee_confirm, { sum }),
  };
}

function actionsOf(offered: Offered): Action[] {
  const { subscriptions, subscription, refundableAttempts } = offered;
  const { attempt, slot, next, resumes, withdraw, guarantee, earlyEnd } = subscription;
  const isMain = slot === 'main';
  const hasPlan = isMain || subscriptions.some((each) => each.slot === 'main' && each.next);
  const claimable = isMain && guarantee > 0 && refundableAttempts.includes(attempt);
  return [
    ...(next && !earlyEnd ? [cancelling(offered)] : []),
    ...(resumes && hasPlan ? [resuming(offered)] : []),
    ...(withdraw ? [withdrawing(offered, withdraw.last)] : []),
    ...(claimable ? [claiming(offered)] : []),
  ];
}

function PurchaseActions(props: Props & { subscription: SubscriptionView }) {
  const { words, subscription, openStep, pending, onOpenStep, onAction } = props;
  return (
    <>
      {subscription.next && subscription.earlyEnd && (
        <a className="text-button" href="/cancel" data-navigate="">
          {words.text.cancel}
        </a>
      )}
      {actionsOf(props).map(({ action, label, description, confirm }) => {
        const id = `${action}-${subscription.attempt}`;
        return (
          <ConfirmButton
            key={action}
            id={id}
            label={label}
            description={openStep === id ? description : undefined}
            confirmLabel={confirm}
            cancelLabel={words.text.keep}
            pending={pending}
            onOpen={() => onOpenStep(id)}
            onCancel={() => onOpenStep('')}
            onConfirm={() => onAction(action, subscription.attempt)}
          />
        );
      })}
    </>
  );
}

function LatePayment({ words, subscriptions }: Pick<Props, 'words' | 'subscriptions'>) {
  const { text, day } = words;
  const [first] = subscriptions
    .filter(({ todo }) => todo === 'update_card')
    .sort((a, b) => (a.until ?? 0) - (b.until ?? 0));
  if (!first?.until) return null;
  const sentence = first.until > Date.now() ? text.late_until : text.late_over;
  return (
    <section className="card stack gap-12">
      <h2 className="title danger">{text.late_title}</h2>
      <p>{interpolate(sentence, { date: day(first.until) })}</p>
      <a className="link-filled" href="/manage/card" onClick={handOver}>
        {text.late_action}
      </a>
    </section>
  );
}

export function PurchaseList(props: Props) {
  const { words, subscriptions } = props;
  const { text } = words;
  if (subscriptions.length === 0) return <p>{text.nothing}</p>;
  const sections = subscriptions.map((subscription) => {
    const { attempt, slot, period, state } = subscription;
    const once = period === 'once' && state === 'active';
    const [price, discount] = words.renewalLines(subscription);
    const facts = words.facts(subscription);
    return (
      <section key={attempt} className="card stack gap-16">
        <div className="row wrap spread gap-8">
          <h2 className="title">{words.title(subscription)}</h2>
          <p className={`strong soft ${styles.state}`} data-state={once ? 'once' : state}>
            {words.stateOf(subscription)}
          </p>
        </div>
        {(price || facts.length > 0) && (
          <div className="stack gap-8">
            {price && <p className={`tabular strong ${styles.price}`}>{price}</p>}
            {discount && <p className="note">{discount}</p>}
            <FactList facts={facts} gap="gap-8" />
          </div>
        )}
        {slot === 'main' && isLive(subscription) && (
          <a className="button link-filled" href="/success" data-navigate="">
            {text.app}
          </a>
        )}
        {slot === 'guide' && state !== 'withdrawn' && (
          <a className="link-outlined" href="/guide" data-navigate="">
            {text.read}
          </a>
        )}
        <div className={styles.actions}>
          <PlanChanges
            {...props}
            subscription={subscription}
            hasExtras={subscriptions.some((each) => each.slot !== 'main' && each.next !== null)}
          />
          <PurchaseActions {...props} subscription={subscription} />
        </div>
      </section>
    );
  });
  return [<LatePayment key="late" words={words} subscriptions={subscriptions} />, ...sections];
}
