import type { ReactNode } from 'react';
import styles from './by-answer.module.css';

type Props = {
  /** Content by answer; the loader chooses before the first paint. */
  when: Readonly<Record<string, ReactNode>>;
  /** Content without an answer. */
  children: ReactNode;
};

/** One of several texts. All share one place, so that the choice moves nothing. */
export function ByAnswer({ when, children }: Props) {
  return (
    <span className={styles.answers}>
      <span>{children}</span>
      {Object.entries(when).map(([answer, shown]) => (
        <span key={answer} data-need={`answers.${answer}`}>
          {shown}
        </span>
      ))}
    </span>
  );
}
