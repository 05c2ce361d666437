import type { HoldingView } from '../../worker/funnel/holding-view.ts';
import { fill } from './fill.ts';
import styles from './holding-ways.module.css';
import { backText, cancelWords, claimText, dayText, type HoldingText } from './holding-words.ts';
import { money } from './money.ts';
import { TwoSteps } from './two-steps.tsx';

/** What an owner can want of something bought. */
export type Wish = 'cancel' | 'resume' | 'withdraw' | 'claim';

type Way = { wish: Wish; label: string; what: string; confirm: string };

type Props = {
  text: HoldingText;
  language: string;
  held: readonly HoldingView[];
  one: HoldingView;
  /** Attempts that the guarantee gives back now. */
  guaranteed: readonly string[];
  /** The step that stands open. */
  asking: string;
  pending: boolean;
  onAsk: (step: string) => void;
  onWish: (wish: Wish, attempt: string) => void;
};

type About = Pick<Props, 'text' | 'language' | 'held' | 'one' | 'guaranteed'>;

function cancelling({ text, language, held, one }: About): Way {
  const extras = held.some(({ slot, next }) => slot !== 'main' && next);
  const what = [
    cancelWords(text, one, language),
    one.slot === 'main' && extras && text.cancel_extras,
    one.undoes ? text.undo : text.final,
  ];
  const said = what.filter(Boolean).join(' ');
  return { wish: 'cancel', label: text.cancel, what: said, confirm: text.cancel_confirm };
}

function resuming({ text, language, one }: About): Way {
  const sum = money(one.price, one.currency, language);
  const date = dayText(one.paidUntil ?? 0, language);
  return {
    wish: 'resume',
    label: text.resume,
    what: fill(text.resume_what, { sum, date }),
    confirm: fill(text.resume_confirm, { sum }),
  };
}

function withdrawing({ text, language, held, one }: About, last: number): Way {
  const sum = backText(held, one, language);
  const date = dayText(last, language, { timeZone: 'UTC' });
  return {
    wish: 'withdraw',
    label: text.withdraw,
    what: fill(text.withdraw_what, { sum, date }),
    confirm: text.withdraw_confirm,
  };
}

function claiming({ text, language, held, one, guaranteed }: About): Way {
  const back = held.filter(({ attempt }) => guaranteed.includes(attempt));
  const sum = claimText(back, one, language);
  return {
    wish: 'claim',
    label: text.guarantee,
    what: fill(text.guarantee_what, { sum }),
    confirm: fill(text.guarantee_confirm, { sum }),
  };
}

/** The ways that are open: out of it, back into it, and to the money. */
function waysOf(about: About): Way[] {
  const { held, one, guaranteed } = about;
  const plan = one.slot === 'main' || held.some(({ slot, next }) => slot === 'main' && next);
  const claimable = guaranteed.includes(one.attempt) && one.slot === 'main' && one.guarantee > 0;
  return [
    ...(one.next ? [cancelling(about)] : []),
    ...(one.resumes && plan ? [resuming(about)] : []),
    ...(one.withdraw ? [withdrawing(about, one.withdraw.last)] : []),
    ...(claimable ? [claiming(about)] : []),
  ];
}

/** What can be done with something bought, each asked for, explained and then confirmed. */
export function HoldingWays({ asking, pending, onAsk, onWish, ...about }: Props) {
  const { text, one } = about;
  const ways = waysOf(about);
  if (ways.length === 0) return null;
  return (
    <div className={styles.ways}>
      {ways.map(({ wish, label, what, confirm }) => {
        const id = `${wish}-${one.attempt}`;
        return (
          <TwoSteps
            key={wish}
            id={id}
            label={label}
            what={asking === id ? what : undefined}
            confirm={confirm}
            keep={text.keep}
            pending={pending}
            onAsk={() => onAsk(id)}
            onKeep={() => onAsk('')}
            onConfirm={() => onWish(wish, one.attempt)}
          />
        );
      })}
    </div>
  );
}
