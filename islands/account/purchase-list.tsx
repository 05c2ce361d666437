import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { HoldingWays, type Wish } from './purchase-actions.tsx';
import { HoldingCard } from './purchase-card.tsx';
import type { HoldingText } from './purchase-text.ts';

type Props = {
  text: HoldingText;
  language: string;
  held: readonly SubscriptionView[];
  /** Whether the guarantee can be claimed now. */
  guaranteed: boolean;
  /** The step that stands open. */
  asking: string;
  pending: boolean;
  onAsk: (step: string) => void;
  onWish: (wish: Wish, attempt: string) => void;
};

/** Everything that was bought, each with the ways out of it. */
export function HeldList({ text, language, held, ...steps }: Props) {
  if (held.length === 0) return <p>{text.nothing}</p>;
  return held.map((one) => (
    <HoldingCard key={one.attempt} text={text} held={one} language={language}>
      <HoldingWays text={text} language={language} held={held} one={one} {...steps} />
    </HoldingCard>
  ));
}
