import type { ReactNode } from 'react';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import styles from './purchase-card.module.css';
import { isLive, type PurchaseText, purchaseFacts, purchaseTitle } from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  held: SubscriptionView;
  language: string;
  /** What can be done with it. */
  children: ReactNode;
};

/** Something that was bought: its state, what it costs next, what was paid. */
export function PurchaseCard({ text, held, language, children }: Props) {
  const once = held.period === 'once' && held.state === 'active';
  return (
    <section className={styles.card}>
      <h2 className={styles.name}>{purchaseTitle(text, held, language)}</h2>
      <p className={styles.state} data-state={once ? 'once' : held.state}>
        {once ? text.state_once : text[`state_${held.state}`]}
      </p>
      <dl className={styles.facts}>
        {purchaseFacts(text, held, language).map(([word, said]) => (
          <div key={word} className={styles.fact}>
            <dt>{word}</dt>
            {said.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        ))}
      </dl>
      {held.slot === 'main' && isLive(held) && (
        <a className={styles.read} href="/success" data-navigate="">
          {text.app}
        </a>
      )}
      {held.slot === 'guide' && held.state !== 'withdrawn' && (
        <a className={styles.read} href="/guide" data-navigate="">
          {text.read}
        </a>
      )}
      {children}
    </section>
  );
}
