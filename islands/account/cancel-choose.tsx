import type { FormEvent } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { CancelReason } from '../../worker/catalog/rules/cancel-offers.ts';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import card from '../ui/radio-card.module.css';
import { ReasonField } from './cancel-offer.tsx';
import type { CancelWords } from './purchase-text.ts';
import styles from './purchases.module.css';

export type Base = { words: CancelWords };

type ChooseProps = Base & {
  /** Subscriptions that renew, the main plan first. */
  renewing: readonly SubscriptionView[];
  onChoose: (attempt: string, reason: CancelReason | '') => void;
};

type TermsProps = Base & { subscription: SubscriptionView };

/** The price, and until when it is paid or when it is charged next. */
function Terms({ words, subscription }: TermsProps) {
  const { state, isProvisional, paidUntil, next } = subscription;
  const paid = state === 'active' && !isProvisional && paidUntil;
  return (
    <span className="stack tabular break">
      <span>{words.price(subscription)}</span>
      <span>
        <span className="soft">{paid ? words.text.until : words.text.next}</span>{' '}
        {words.day(paid || (next?.at ?? 0))}
      </span>
    </span>
  );
}

/** What ends with a choice: a plan ends with all that renews. */
function Ending({ words, subscription, renewing }: TermsProps & Pick<ChooseProps, 'renewing'>) {
  return (
    <span className="stack gap-8 grow break">
      <span className="strong">
        {subscription.slot === 'main'
          ? words.text.all
          : interpolate(words.text.only, { name: words.title(subscription) })}
      </span>
      {subscription.slot === 'main' ? (
        renewing.map((each) => (
          <span key={each.attempt}>
            {words.title(each)}
            <Terms words={words} subscription={each} />
          </span>
        ))
      ) : (
        <Terms words={words} subscription={subscription} />
      )}
    </span>
  );
}

export function CancelChoose({ words, renewing, onChoose }: ChooseProps) {
  const { text } = words;
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget);
    const reason = String(chosen.get('reason') ?? '') as CancelReason | '';
    onChoose(String(chosen.get('ends') ?? renewing[0]?.attempt), reason);
  };
  const several = renewing.length > 1;
  return (
    <form className="stack gap-24" method="post" onSubmit={choose}>
      {several ? (
        <fieldset className="stack gap-12">
          <legend className={`title strong ${styles.legend}`}>{text.which}</legend>
          {renewing.map((subscription, at) => (
            <label key={subscription.attempt} className={`${card.card} padded beside gap-12`}>
              <input
                className={card.radio}
                type="radio"
                name="ends"
                value={subscription.attempt}
                defaultChecked={at === 0}
              />
              <Ending words={words} subscription={subscription} renewing={renewing} />
            </label>
          ))}
        </fieldset>
      ) : (
        renewing.map((subscription) => (
          <section key={subscription.attempt} className="card stack gap-8">
            <h2 className="title">{words.title(subscription)}</h2>
            <Terms words={words} subscription={subscription} />
          </section>
        ))
      )}
      <ReasonField text={text} />
      <ContinueButton label={text.go_on} />
    </form>
  );
}
