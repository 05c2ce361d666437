import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { type PurchaseAction, PurchaseActions } from './purchase-actions.tsx';
import { PurchaseCard } from './purchase-card.tsx';
import type { PurchaseText } from './purchase-text.ts';

type Props = {
  text: PurchaseText;
  language: string;
  subscriptions: readonly SubscriptionView[];
  /** Attempts that the guarantee gives back now. */
  guaranteed: readonly string[];
  /** The step that stands open. */
  asking: string;
  pending: boolean;
  onAsk: (step: string) => void;
  onWish: (wish: PurchaseAction, attempt: string) => void;
};

/** Everything that was bought, each with the ways out of it. */
export function PurchaseList({ text, language, subscriptions, ...steps }: Props) {
  if (subscriptions.length === 0) return <p>{text.nothing}</p>;
  return subscriptions.map((one) => (
    <PurchaseCard key={one.attempt} text={text} subscription={one} language={language}>
      <PurchaseActions
        text={text}
        language={language}
        subscriptions={subscriptions}
        one={one}
        {...steps}
      />
    </PurchaseCard>
  ));
}
