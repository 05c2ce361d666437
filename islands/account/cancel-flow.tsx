import type { FormEvent } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import card from '../ui/radio-card.module.css';
import type { PurchaseWords } from './purchase-text.ts';
import styles from './purchases.module.css';

type Base = { words: PurchaseWords };

/** The price, and when it is charged next. */
const charges = (words: PurchaseWords, subscription: SubscriptionView) => [
  words.price(subscription),
  `${words.text.next}: ${words.day(subscription.next?.at ?? 0)}`,
];

type ChooseProps = Base & {
  /** Subscriptions that renew, the main plan first. */
  renewing: readonly SubscriptionView[];
  onChoose: (attempt: string) => void;
};

/** Step 1: choose which subscription to cancel, with its price and next renewal. */
function CancelChoose({ words, renewing, onChoose }: ChooseProps) {
  const { text } = words;
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChoose(String(new FormData(event.currentTarget).get('ends') ?? renewing[0]?.attempt));
  };
  const facts = (subscription: SubscriptionView) => (
    <span className="note stack tabular">
      {charges(words, subscription).map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );
  const several = renewing.length > 1;
  const heading = (subscription: SubscriptionView) => {
    const name = words.title(subscription);
    if (!several) return name;
    return subscription.slot === 'main' ? text.all : interpolate(text.only, { name });
  };
  const choice = (subscription: SubscriptionView) => (
    <span className="stack gap-8 grow break">
      <span className="strong">{heading(subscription)}</span>
      {several && subscription.slot === 'main'
        ? renewing.map((each) => (
            <span key={each.attempt}>
              {words.title(each)}
              {facts(each)}
            </span>
          ))
        : facts(subscription)}
    </span>
  );
  return (
    <form className="stack gap-16" method="post" onSubmit={choose}>
      <fieldset className="stack gap-12">
        <legend className={`title strong ${styles.legend}`}>{text.which}</legend>
        {renewing.map((subscription, at) =>
          several ? (
            <label
              key={subscription.attempt}
              className={`${card.card} beside gap-12 ${styles.choice}`}
            >
              <input
                className={card.radio}
                type="radio"
                name="ends"
                value={subscription.attempt}
                defaultChecked={at === 0}
              />
              {choice(subscription)}
            </label>
          ) : (
            <div key={subscription.attempt} className="card beside gap-12">
              {choice(subscription)}
            </div>
          ),
        )}
      </fieldset>
      <ContinueButton label={text.go_on} />
    </form>
  );
}

type ConfirmProps = Base & {
  subscriptions: readonly SubscriptionView[];
  /** The subscription to cancel; a main plan ends its add-ons too. */
  chosen: SubscriptionView;
  pending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

const focus = (heading: HTMLElement | null) => heading?.focus();

/** Step 2: what ends, when, and what stays, above the confirm button. */
function CancelConfirm(props: ConfirmProps) {
  const { words, subscriptions, chosen, pending, onConfirm, onCancel } = props;
  const { text } = words;
  const goes = ({ attempt, next }: SubscriptionView) =>
    next !== null && (chosen.slot === 'main' || attempt === chosen.attempt);
  const ends = subscriptions.filter(goes);
  const stays = subscriptions.filter(
    (each) => !goes(each) && (each.next || each.state === 'active'),
  );
  const { withdraw } = chosen;
  return (
    <>
      <h2 className="title" tabIndex={-1} ref={focus}>
        {text.not_yet}
      </h2>
      {ends.map((each) => (
        <section key={each.attempt} className="card stack gap-4">
          <h3 className="title-small">{words.title(each)}</h3>
          <p>{words.cancellation(each)}</p>
        </section>
      ))}
      {stays.map((each) => (
        <p key={each.attempt}>{interpolate(text.stays, { name: words.title(each) })}</p>
      ))}
      <p className="note">{chosen.undoes ? text.undo : text.final}</p>
      <ContinueButton
        id="cancel-confirm"
        label={text.cancel_confirm}
        type="button"
        pending={pending}
        onClick={onConfirm}
      />
      <ContinueButton
        id="cancel-keep"
        label={text.keep}
        type="button"
        secondary
        onClick={onCancel}
      />
      {withdraw && (
        <div className="notice padded small stack">
          <p>
            {interpolate(text.instead, {
              date: words.day(withdraw.last, { timeZone: 'UTC' }),
              sum: words.withdrawalSum(subscriptions, chosen),
            })}
          </p>
          <a className="tap" href="/manage" data-navigate="">
            {text.withdraw}
          </a>
        </div>
      )}
    </>
  );
}

type ReceiptProps = Base & {
  subscriptions: readonly SubscriptionView[];
  /** Whether a subscription was cancelled on this page. */
  done: boolean;
};

/** Step 3: what ends when and what still renews, or that there is nothing to cancel. */
function CancelReceipt({ words, subscriptions, done }: ReceiptProps) {
  const { text } = words;
  const nothing = subscriptions.length > 0 ? text.not_renewing : text.nothing;
  return (
    <>
      {!done && <p role="status">{nothing}</p>}
      {subscriptions
        .filter(({ state }) => state === 'ends')
        .map((ending) => (
          <p key={ending.attempt} className="card stack gap-4">
            {interpolate(text.done_until, {
              name: words.title(ending),
              date: words.day(ending.paidUntil ?? 0),
            })}
          </p>
        ))}
      {subscriptions
        .filter(({ next }) => next)
        .map((renewing) => (
          <div key={renewing.attempt} className="card stack gap-4">
            <p>{interpolate(text.still, { name: words.title(renewing) })}</p>
            {charges(words, renewing).map((line) => (
              <p key={line} className="note">
                {line}
              </p>
            ))}
          </div>
        ))}
    </>
  );
}

type Props = Base & {
  subscriptions: readonly SubscriptionView[];
  /** Attempt id of the subscription to confirm; empty at step 1. */
  openStep: string;
  pending: boolean;
  done: boolean;
  onOpenStep: (attempt: string) => void;
  onConfirm: (attempt: string) => void;
};

export function CancelFlow({ openStep, pending, done, onOpenStep, onConfirm, ...about }: Props) {
  const { words, subscriptions } = about;
  const renewing = subscriptions.filter(({ next }) => next);
  const chosen = renewing.find(({ attempt }) => attempt === openStep);
  const finished = done || renewing.length === 0;
  // A new element for each step, so that a late answer does not count as a layout shift.
  const step = chosen ? 'confirm' : finished ? 'receipt' : 'choose';
  return (
    <div key={step} className="stack gap-16">
      {chosen ? (
        <CancelConfirm
          {...about}
          chosen={chosen}
          pending={pending}
          onConfirm={() => onConfirm(chosen.attempt)}
          onCancel={() => onOpenStep('')}
        />
      ) : finished ? (
        <CancelReceipt {...about} done={done} />
      ) : (
        <CancelChoose {...about} renewing={renewing} onChoose={onOpenStep} />
      )}
      <a className={`tap ${styles.link}`} href="/manage" data-navigate="">
        {words.text.see}
      </a>
    </div>
  );
}
