import type { IslandText } from '../../locales/index.ts';
import type { InvitedSlice } from '../stores/invited.ts';
import { ContinueButton } from './continue-button.tsx';
import { EvenChoices } from './even-choices.tsx';
import { fill } from './fill.ts';
import { HelpLine } from './help-line.tsx';
import { InvitedFacts } from './invited-facts.tsx';
import styles from './invited-view.module.css';
import { SharedPlace } from './shared-place.tsx';
import { momentText } from './when.ts';

type Act = 'accept' | 'decline' | 'stop' | 'block' | 'block_only' | 'report' | 'everyone' | 'back';

type Props = {
  text: IslandText['invited'];
  /** BCP 47. */
  language: string;
  help: { name: string; number: string; dial: string };
  now: InvitedSlice;
  /** Whether it is asked how far a block goes. */
  blocking: boolean;
  onHeading?: (heading: HTMLElement | null) => void;
  onAct: (act: Act) => void;
  onRetry: () => void;
};

/** The answers of each state, all of one weight. */
const answers = {
  asked: ['accept', 'decline', 'block'],
  shared: ['stop', 'block'],
  over: ['block'],
  blocked: [],
  blocking: ['block_only', 'report', 'everyone', 'back'],
} as const satisfies Record<string, readonly Act[]>;

/** A question as who was asked sees it, in each of its states. */
export function InvitedView(props: Props) {
  const { text, language, help, now, blocking, onHeading, onAct, onRetry } = props;
  const { stage, question, drawing, doing, trouble } = now;
  const date = (at: number) => momentText(at, language);
  if (stage !== 'open' || !question) {
    return (
      <div key={stage} className={styles.view}>
        <p role="status">{text[stage as Exclude<typeof stage, 'open'>]}</p>
        {stage === 'failed' && (
          <ContinueButton label={text.retry} type="button" onClick={onRetry} />
        )}
        <HelpLine text={text} help={help} />
      </div>
    );
  }
  const { name, shared, until } = question;
  const state = blocking ? 'blocking' : question.blocked ? 'blocked' : question.state;
  const titles = {
    asked: fill(text.asks, { name }),
    shared: fill(text.shared, { name }),
    over: text.over,
    blocked: text.over,
    blocking: text.block_title,
  };
  return (
    <div key={state} className={styles.view}>
      <h2 ref={onHeading} className={styles.title} tabIndex={-1}>
        {titles[state]}
      </h2>
      {state === 'asked' && (
        <>
          <p className={styles.soft}>{text.typed}</p>
          <InvitedFacts text={text} duration={question.duration} />
          <p className={styles.soft}>{fill(text.answer_by, { date: date(question.answer_by) })}</p>
        </>
      )}
      {state === 'shared' && shared && (
        <SharedPlace text={text} language={language} place={shared} drawing={drawing} />
      )}
      {state === 'shared' && until && <p>{fill(text.until, { date: date(until) })}</p>}
      {state === 'over' && <p>{text.over_text}</p>}
      {question.blocked && <p>{question.blocked === 'everyone' ? text.nobody : text.blocked}</p>}
      {question.hidden && <p>{fill(text.hidden, { date: date(question.answer_by) })}</p>}
      {state === 'blocking' && (
        <>
          <p>{text.block_text}</p>
          <p>{text.report_text}</p>
          <p>{text.everyone_text}</p>
        </>
      )}
      <p className={styles.said} role="status">
        {doing === 'locating' ? text.locating : trouble && text[trouble]}
      </p>
      <EvenChoices
        choices={answers[state].map((id) => ({ id, label: text[id] }))}
        pending={doing !== ''}
        onChoose={(id) => onAct(id as Act)}
      />
      <HelpLine text={text} help={help} />
    </div>
  );
}
