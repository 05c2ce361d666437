import type { HoldingView } from '../../worker/funnel/holding-view.ts';
import { fill } from './fill.ts';
import { HoldingCard } from './holding-card.tsx';
import { cancelWords, dayText, type HoldingText } from './holding-words.ts';
import { money } from './money.ts';
import { TwoSteps } from './two-steps.tsx';

type Props = {
  text: HoldingText;
  language: string;
  held: readonly HoldingView[];
  /** The step that stands open. */
  asking: string;
  pending: boolean;
  onAsk: (step: string) => void;
  onCancel: (attempt: string) => void;
  onWithdraw: (attempt: string) => void;
};

/** Everything that was bought, each with the ways out of it. */
export function HeldList({ text, language, held, onCancel, onWithdraw, ...steps }: Props) {
  const { asking, pending, onAsk } = steps;
  if (held.length === 0) return <p>{text.nothing}</p>;
  const extras = held.some(({ slot, next }) => slot !== 'main' && next);
  const step = (id: string) => ({
    id,
    pending,
    keep: text.keep,
    onAsk: () => onAsk(id),
    onKeep: () => onAsk(''),
  });
  const cancelling = (one: HoldingView) =>
    [cancelWords(text, one, language), one.slot === 'main' && extras && text.cancel_extras]
      .filter(Boolean)
      .join(' ');
  return held.map((one) => {
    const { attempt, next, withdraw, currency } = one;
    const [ending, taking] = [`cancel-${attempt}`, `withdraw-${attempt}`];
    return (
      <HoldingCard key={attempt} text={text} held={one} language={language}>
        {next && (
          <TwoSteps
            {...step(ending)}
            label={text.cancel}
            what={asking === ending ? cancelling(one) : undefined}
            confirm={text.cancel_confirm}
            onConfirm={() => onCancel(attempt)}
          />
        )}
        {withdraw && (
          <TwoSteps
            {...step(taking)}
            label={text.withdraw}
            what={
              asking === taking
                ? fill(text.withdraw_what, {
                    sum: money(withdraw.back, currency, language),
                    date: dayText(withdraw.last, language, 'UTC'),
                  })
                : undefined
            }
            confirm={text.withdraw_confirm}
            onConfirm={() => onWithdraw(attempt)}
          />
        )}
      </HoldingCard>
    );
  });
}
