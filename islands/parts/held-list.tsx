import type { HoldingView } from '../../worker/funnel/holding-view.ts';
import { HoldingCard } from './holding-card.tsx';
import { HoldingWays, type Wish } from './holding-ways.tsx';
import type { HoldingText } from './holding-words.ts';

type Props = {
  text: HoldingText;
  language: string;
  held: readonly HoldingView[];
  /** Attempts that the guarantee gives back now. */
  guaranteed: readonly string[];
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
