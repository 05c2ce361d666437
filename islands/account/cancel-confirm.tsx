import { interpolate } from '../../locales/format/interpolate.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import styles from './cancel-flow.module.css';
import {
  cancelText,
  dayText,
  type PurchaseText,
  purchaseTitle,
  withdrawalText,
} from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  language: string;
  held: readonly SubscriptionView[];
  /** What ends; a plan takes along what was added to it. */
  chosen: SubscriptionView;
  pending: boolean;
  onConfirm: () => void;
  onKeep: () => void;
};

/** What is read first when the step has come. */
const focus = (heading: HTMLElement | null) => heading?.focus();

/** The second step: what ends when and what stays, before the button that does it. */
export function CancelConfirm(props: Props) {
  const { text, language, held, chosen, pending, onConfirm, onKeep } = props;
  const title = (one: SubscriptionView) => purchaseTitle(text, one, language);
  const goes = ({ attempt, next }: SubscriptionView) =>
    next !== null && (chosen.slot === 'main' || attempt === chosen.attempt);
  const ends = held.filter(goes);
  const stays = held.filter((one) => !goes(one) && (one.next || one.state === 'active'));
  const { withdraw } = chosen;
  return (
    <>
      <h2 className={styles.title} tabIndex={-1} ref={focus}>
        {text.not_yet}
      </h2>
      {ends.map((one) => (
        <section key={one.attempt} className={styles.plan}>
          <h3>{title(one)}</h3>
          <p>{cancelText(text, one, language)}</p>
        </section>
      ))}
      {stays.map((one) => (
        <p key={one.attempt}>{interpolate(text.stays, { name: title(one) })}</p>
      ))}
      <p className={styles.note}>{chosen.undoes ? text.undo : text.final}</p>
      <ContinueButton
        id="cancel-confirm"
        label={text.cancel_confirm}
        type="button"
        pending={pending}
        onClick={onConfirm}
      />
      <ContinueButton id="cancel-keep" label={text.keep} type="button" quiet onClick={onKeep} />
      {withdraw && (
        <div className={styles.apart}>
          <p>
            {interpolate(text.instead, {
              date: dayText(withdraw.last, language, { timeZone: 'UTC' }),
              sum: withdrawalText(held, chosen, language),
            })}
          </p>
          <a href="/manage" data-navigate="">
            {text.withdraw}
          </a>
        </div>
      )}
    </>
  );
}
