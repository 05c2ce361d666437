import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { CancelChoose } from './cancel-choose.tsx';
import { CancelConfirm } from './cancel-confirm.tsx';
import styles from './cancel-flow.module.css';
import { CancelReceipt } from './cancel-receipt.tsx';
import type { PurchaseText } from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  language: string;
  held: readonly SubscriptionView[];
  /** What is to be confirmed, by its attempt; empty at the first step. */
  asking: string;
  pending: boolean;
  /** Whether it was confirmed on this page. */
  done: boolean;
  onAsk: (attempt: string) => void;
  onConfirm: (attempt: string) => void;
};

/** The way out: what renews, and which of it; what ending it means; then the receipt. */
export function CancelFlow({ asking, pending, done, onAsk, onConfirm, ...about }: Props) {
  const { text, held } = about;
  const renewing = held.filter(({ next }) => next);
  const chosen = renewing.find(({ attempt }) => attempt === asking);
  return (
    <div className={styles.step}>
      {chosen && (
        <CancelConfirm
          {...about}
          chosen={chosen}
          pending={pending}
          onConfirm={() => onConfirm(chosen.attempt)}
          onKeep={() => onAsk('')}
        />
      )}
      {!chosen && renewing.length > 0 && !done && (
        <CancelChoose {...about} renewing={renewing} onChoose={onAsk} />
      )}
      {!chosen && (done || renewing.length === 0) && <CancelReceipt {...about} done={done} />}
      <a className={styles.see} href="/manage" data-navigate="">
        {text.see}
      </a>
    </div>
  );
}
