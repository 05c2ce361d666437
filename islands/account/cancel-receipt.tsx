import { interpolate } from '../../locales/format/interpolate.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import styles from './cancel-flow.module.css';
import { dayText, type PurchaseText, priceText, purchaseTitle } from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  language: string;
  held: readonly SubscriptionView[];
  /** Whether something was cancelled on this page. */
  done: boolean;
};

/** What ends when, and what still renews: the receipt, or that there is nothing to cancel. */
export function CancelReceipt({ text, language, held, done }: Props) {
  const title = (one: SubscriptionView) => purchaseTitle(text, one, language);
  const nothing = held.length > 0 ? text.not_renewing : text.nothing;
  return (
    <>
      {!done && <p role="status">{nothing}</p>}
      {held
        .filter(({ state }) => state === 'ends')
        .map((one) => (
          <p key={one.attempt} className={styles.plan}>
            {interpolate(text.done_until, {
              name: title(one),
              date: dayText(one.paidUntil ?? 0, language),
            })}
          </p>
        ))}
      {held
        .filter(({ next }) => next)
        .map((one) => (
          <div key={one.attempt} className={styles.plan}>
            <p>{interpolate(text.still, { name: title(one) })}</p>
            <p className={styles.note}>{priceText(text, one, language)}</p>
            <p className={styles.note}>{`${text.next}: ${dayText(one.next?.at ?? 0, language)}`}</p>
          </div>
        ))}
    </>
  );
}
