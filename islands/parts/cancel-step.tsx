import type { HoldingView } from '../../worker/funnel/holding-view.ts';
import styles from './cancel-step.module.css';
import { ContinueButton } from './continue-button.tsx';
import { fill } from './fill.ts';
import { cancelWords, dayText, type HoldingText, holdingTitle } from './holding-words.ts';

type Props = {
  text: HoldingText;
  language: string;
  held: readonly HoldingView[];
  pending: boolean;
  /** Whether it was confirmed on this page. */
  done: boolean;
  onConfirm: () => void;
};

/** What renews and what ending it means, with the button that ends it; then the receipt. */
export function CancelStep({ text, language, held, pending, done, onConfirm }: Props) {
  const renewing = held.filter(({ next }) => next);
  const ending = held.filter(({ state }) => state === 'ends');
  const see = (
    <a className={styles.see} href="/manage" data-navigate="">
      {text.see}
    </a>
  );
  if (renewing.length > 0) {
    return (
      <div className={styles.step}>
        {renewing.map((one) => (
          <section key={one.attempt} className={styles.plan}>
            <h2>{holdingTitle(text, one, language)}</h2>
            <p>{cancelWords(text, one, language)}</p>
          </section>
        ))}
        <ContinueButton
          label={text.cancel_confirm}
          type="button"
          pending={pending}
          onClick={onConfirm}
        />
        {see}
      </div>
    );
  }
  return (
    <div className={styles.step}>
      {!done && <p role="status">{held.length > 0 ? text.nothing_renews : text.nothing}</p>}
      {ending.map((one) => (
        <p key={one.attempt}>
          {fill(text.done_until, {
            name: holdingTitle(text, one, language),
            date: dayText(one.paidUntil ?? 0, language),
          })}
        </p>
      ))}
      {see}
    </div>
  );
}
