import type { FormEvent } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import card from '../ui/radio-card-box.module.css';
import styles from './cancel-choose.module.css';
import { dayText, type PurchaseText, priceText, purchaseTitle } from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  language: string;
  /** What renews, the plan first. */
  renewing: readonly SubscriptionView[];
  onChoose: (attempt: string) => void;
};

/** The first step: what renews, for how much and when, and which of it is to end. */
export function CancelChoose({ text, language, renewing, onChoose }: Props) {
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChoose(String(new FormData(event.currentTarget).get('ends') ?? renewing[0]?.attempt));
  };
  const title = (one: SubscriptionView) => purchaseTitle(text, one, language);
  const facts = (one: SubscriptionView) => (
    <span className={styles.facts}>
      <span>{priceText(text, one, language)}</span>
      <span>{`${text.next}: ${dayText(one.next?.at ?? 0, language)}`}</span>
    </span>
  );
  const several = renewing.length > 1;
  const whole = (one: SubscriptionView) => several && one.slot === 'main';
  const heading = (one: SubscriptionView) =>
    whole(one) ? text.all : several ? interpolate(text.only, { name: title(one) }) : title(one);
  const words = (one: SubscriptionView) => (
    <span className={styles.words}>
      <span className={styles.name}>{heading(one)}</span>
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
    <form className={styles.form} method="post" onSubmit={choose}>
      <fieldset className={styles.choices}>
        <legend className={styles.legend}>{text.which}</legend>
        {several
          ? renewing.map((one, at) => (
              <label key={one.attempt} className={`${card.card} ${styles.choice}`}>
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
              <div key={one.attempt} className={styles.single}>
                {words(one)}
              </div>
            ))}
      </fieldset>
      <ContinueButton label={text.go_on} />
    </form>
  );
}
