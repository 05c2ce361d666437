import type { FormEvent } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import card from '../ui/radio-card.module.css';
import {
  cancelText,
  dayText,
  type PurchaseText,
  priceText,
  purchaseTitle,
  withdrawalText,
} from './purchase-text.ts';
import styles from './purchases.module.css';

type Base = { text: PurchaseText; language: string };

type ChooseProps = Base & {
  /** Subscriptions that renew, the main plan first. */
  renewing: readonly SubscriptionView[];
  onChoose: (attempt: string) => void;
};

/** Step 1: choose which subscription to cancel, with its price and next renewal. */
function CancelChoose({ text, language, renewing, onChoose }: ChooseProps) {
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChoose(String(new FormData(event.currentTarget).get('ends') ?? renewing[0]?.attempt));
  };
  const title = (one: SubscriptionView) => purchaseTitle(text, one, language);
  const facts = (one: SubscriptionView) => (
    <span className="note stack tabular">
      <span>{priceText(text, one, language)}</span>
      <span>{`${text.next}: ${dayText(one.next?.at ?? 0, language)}`}</span>
    </span>
  );
  const several = renewing.length > 1;
  const whole = (one: SubscriptionView) => several && one.slot === 'main';
  const heading = (one: SubscriptionView) =>
    whole(one) ? text.all : several ? interpolate(text.only, { name: title(one) }) : title(one);
  const words = (one: SubscriptionView) => (
    <span className={`stack gap-8 grow break`}>
      <span className="strong">{heading(one)}</span>
      {whole(one)
        ? renewing.map((each) => (
            <span key={each.attempt}>
              {title(each)}
              {facts(each)}
            </span>
          ))
        : facts(one)}
    </span>
  );
  return (
    <form className="stack gap-16" method="post" onSubmit={choose}>
      <fieldset className="stack gap-12">
        <legend className={`title strong ${styles.legend}`}>{text.which}</legend>
        {several
          ? renewing.map((one, at) => (
              <label key={one.attempt} className={`${card.card} beside gap-12 ${styles.choice}`}>
                <input
                  className={card.radio}
                  type="radio"
                  name="ends"
                  value={one.attempt}
                  defaultChecked={at === 0}
                />
                {words(one)}
              </label>
            ))
          : renewing.map((one) => (
              <div key={one.attempt} className="card beside gap-12">
                {words(one)}
              </div>
            ))}
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
  const { text, language, subscriptions, chosen, pending, onConfirm, onCancel } = props;
  const title = (one: SubscriptionView) => purchaseTitle(text, one, language);
  const goes = ({ attempt, next }: SubscriptionView) =>
    next !== null && (chosen.slot === 'main' || attempt === chosen.attempt);
  const ends = subscriptions.filter(goes);
  const stays = subscriptions.filter((one) => !goes(one) && (one.next || one.state === 'active'));
  const { withdraw } = chosen;
  return (
    <>
      <h2 className="title" tabIndex={-1} ref={focus}>
        {text.not_yet}
      </h2>
      {ends.map((one) => (
        <section key={one.attempt} className="card stack gap-4">
          <h3 className="title-small">{title(one)}</h3>
          <p>{cancelText(text, one, language)}</p>
        </section>
      ))}
      {stays.map((one) => (
        <p key={one.attempt}>{interpolate(text.stays, { name: title(one) })}</p>
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
              date: dayText(withdraw.last, language, { timeZone: 'UTC' }),
              sum: withdrawalText(subscriptions, chosen, language),
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
function CancelReceipt({ text, language, subscriptions, done }: ReceiptProps) {
  const title = (one: SubscriptionView) => purchaseTitle(text, one, language);
  const nothing = subscriptions.length > 0 ? text.not_renewing : text.nothing;
  return (
    <>
      {!done && <p role="status">{nothing}</p>}
      {subscriptions
        .filter(({ state }) => state === 'ends')
        .map((one) => (
          <p key={one.attempt} className="card stack gap-4">
            {interpolate(text.done_until, {
              name: title(one),
              date: dayText(one.paidUntil ?? 0, language),
            })}
          </p>
        ))}
      {subscriptions
        .filter(({ next }) => next)
        .map((one) => (
          <div key={one.attempt} className="card stack gap-4">
            <p>{interpolate(text.still, { name: title(one) })}</p>
            <p className="note">{priceText(text, one, language)}</p>
            <p className="note">{`${text.next}: ${dayText(one.next?.at ?? 0, language)}`}</p>
          </div>
        ))}
    </>
  );
}

type Props = {
  text: PurchaseText;
  language: string;
  subscriptions: readonly SubscriptionView[];
  /** Attempt id of the subscription to confirm; empty at step 1. */
  openStep: string;
  pending: boolean;
  done: boolean;
  onOpenStep: (attempt: string) => void;
  onConfirm: (attempt: string) => void;
};

export function CancelFlow({ openStep, pending, done, onOpenStep, onConfirm, ...about }: Props) {
  const { text, subscriptions } = about;
  const renewing = subscriptions.filter(({ next }) => next);
  const chosen = renewing.find(({ attempt }) => attempt === openStep);
  return (
    <div className="stack gap-16">
      {chosen && (
        <CancelConfirm
          {...about}
          chosen={chosen}
          pending={pending}
          onConfirm={() => onConfirm(chosen.attempt)}
          onCancel={() => onOpenStep('')}
        />
      )}
      {!chosen && renewing.length > 0 && !done && (
        <CancelChoose {...about} renewing={renewing} onChoose={onOpenStep} />
      )}
      {!chosen && (done || renewing.length === 0) && <CancelReceipt {...about} done={done} />}
      <a className={`tap ${styles.link}`} href="/manage" data-navigate="">
        {text.see}
      </a>
    </div>
  );
}
