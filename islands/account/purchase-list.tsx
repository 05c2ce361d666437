import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { type PurchaseAction, PurchaseActions } from './purchase-actions.tsx';
import { PurchaseCard } from './purchase-card.tsx';
import type { PurchaseText } from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  language: string;
  subscriptions: readonly SubscriptionView[];
  /** Attempt ids that the money-back guarantee refunds now. */
  refundableAttempts: readonly string[];
  /** Id of the open confirmation step; empty for none. */
  openStep: string;
  pending: boolean;
  onOpenStep: (step: string) => void;
  onAction: (action: PurchaseAction, attempt: string) => void;
};

export function PurchaseList({ text, language, subscriptions, ...steps }: Props) {
  if (subscriptions.length === 0) return <p>{text.nothing}</p>;
  return subscriptions.map((one) => (
    <PurchaseCard key={one.attempt} text={text} subscription={one} language={language}>
      <PurchaseActions
        text={text}
        language={language}
        subscriptions={subscriptions}
        subscription={one}
        {...steps}
      />
    </PurchaseCard>
  ));
}
