import type { ReactNode } from 'react';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { isLive, type PurchaseText, purchaseFacts, purchaseTitle } from './purchase-text.ts';
import styles from './purchases.module.css';

type Props = {
  text: PurchaseText;
  subscription: SubscriptionView;
  language: string;
  /** The actions. */
  children: ReactNode;
};

export function PurchaseCard({ text, subscription, language, children }: Props) {
  const once = subscription.period === 'once' && subscription.state === 'active';
  return (
    <section className="card stack gap-12">
      <h2 className="title">{purchaseTitle(text, subscription, language)}</h2>
      <p className={`strong soft ${styles.state}`} data-state={once ? 'once' : subscription.state}>
        {once ? text.state_once : text[`state_${subscription.state}`]}
      </p>
      <dl className="stack gap-8">
        {purchaseFacts(text, subscription, language).map(([word, said]) => (
          <div key={word} className={`small ${styles.fact}`}>
            <dt className="soft">{word}</dt>
            {said.map((line) => (
              <dd key={line} className="tabular">
                {line}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {subscription.slot === 'main' && isLive(subscription) && (
        <a className="link-outlined" href="/success" data-navigate="">
          {text.app}
        </a>
      )}
      {subscription.slot === 'guide' && subscription.state !== 'withdrawn' && (
        <a className="link-outlined" href="/guide" data-navigate="">
          {text.read}
        </a>
      )}
      {children}
    </section>
  );
}
