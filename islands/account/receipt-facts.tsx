import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { ReceiptView } from '../../worker/payments/notices/receipt.ts';
import type { Card } from '../../worker/payments/purchase/card-update.ts';
import { LineIcon } from '../ui/line-icon.tsx';
import { FactList } from './fact-list.tsx';
import type { Fact, PurchaseWords } from './purchase-text.ts';
import styles from './receipt-facts.module.css';

const tick = 'M4 12.5 9.5 18 20 7';

interface Props {
  words: PurchaseWords;
  text: IslandText['receipt'] & { tax: string; seller: string };
  receipt: ReceiptView;
  card: Card | null;
  /** The buyer's e-mail. */
  buyer: string;
  /** The seller's name, address and numbers. */
  seller: readonly string[];
}

function factsOf({ words, text, receipt, card, buyer, seller }: Props): Fact[] {
  const { at, period, covers, amount, tax, taxIncluded } = receipt;
  const once = period === 'once';
  return [
    [text.date, [words.day(at)]],
    [text.what, [words.title(receipt), ...(once ? [words.text.state_once] : [])]],
    ...(once ? ([[text.supplied, [words.day(at)]]] satisfies Fact[]) : []),
    ...(covers ? ([[text.period, [words.days(covers.from, covers.to)]]] satisfies Fact[]) : []),
    ...(tax === null
      ? []
      : ([
          [text.net, [words.sum(amount - tax, receipt)]],
          [text.tax_sum, [words.sum(tax, receipt)]],
          [text.sum, [words.sum(amount, receipt), ...(taxIncluded ? [text.tax] : [])]],
        ] satisfies Fact[])),
    ...(card
      ? ([
          [
            text.method,
            [
              card.last4
                ? interpolate(words.text.card_is, { brand: card.brand, digits: card.last4 })
                : card.brand,
            ],
          ],
        ] satisfies Fact[])
      : []),
    ...(receipt.refunds.length > 0
      ? ([
          [text.refunds, words.refunds(receipt).flatMap(([, ...lines]) => lines.filter(Boolean))],
        ] satisfies Fact[])
      : []),
    [text.buyer, [`\u2068${buyer}\u2069`]],
    [text.seller, seller.map((line) => `\u2068${line}\u2069`)],
    [text.number, [receipt.id]],
  ];
}

export function ReceiptFacts(props: Props) {
  const { words, text, receipt } = props;
  const { amount, tax, taxIncluded } = receipt;
  return (
    <>
      <div className="stack gap-2">
        <div className={`wrap ${styles.total}`}>
          <p className={`tabular ${styles.sum}`}>{words.sum(amount, receipt)}</p>
          <p className={`small strong beside gap-4 ${styles.paid}`}>
            <LineIcon path={tick} size={16} />
            {text.sum}
          </p>
        </div>
        {tax === null && taxIncluded && <p className="note">{text.tax}</p>}
      </div>
      <div className={styles.facts}>
        <FactList facts={factsOf(props)} gap="gap-12" />
      </div>
    </>
  );
}
