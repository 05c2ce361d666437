import type { ReceiptView } from '../../worker/payments/notices/receipt.ts';
import { addressOf } from '../runtime/hydration/request-page.ts';
import { handOver } from '../runtime/navigation/back-button.ts';
import type { PurchaseWords } from './purchase-text.ts';
import styles from './purchases.module.css';

type Props = { words: PurchaseWords; receipts: readonly ReceiptView[] };

export function ReceiptList({ words, receipts }: Props) {
  if (receipts.length === 0) return null;
  return (
    <section className="card stack gap-12">
      <h2 className="title">{words.text.receipts}</h2>
      <ul className="stack gap-8">
        {receipts.map((receipt) => (
          <li key={receipt.id} className="small stack gap-4">
            <a
              className={`tap row gap-12 ${styles.receipt}`}
              href={receiptHref(receipt)}
              onClick={handOver}
            >
              <span className="stack">
                <span className={styles.receiptTitle}>{words.title(receipt)}</span>
                <span className="note">{words.day(receipt.at, { dateStyle: 'medium' })}</span>
                {words.taxes(receipt, receipt) && (
                  <span className="note tabular">{words.taxes(receipt, receipt)}</span>
                )}
              </span>
              <span className={`strong tabular ${styles.receiptSum}`}>
                {words.sum(receipt.amount, receipt)}
              </span>
            </a>
            {words.refunds(receipt).map(([id, ...lines]) => (
              <p key={id} className="note tabular stack">
                {lines.filter(Boolean).map((line) => (
                  <span key={line}>{line}</span>
                ))}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The number is in the fragment, which is not sent to servers; `data-navigate` would drop it. */
const receiptHref = ({ id }: ReceiptView) => `${addressOf('/manage/receipt')}#${id}`;
