import type { ReactNode } from 'react';
import styles from './by-answer.module.css';

type Props = {
  when?: Readonly<Record<string, ReactNode>> | undefined;
  /** Content with `{{name}}`, for a visitor who gave the other person's name; wins over an answer. */
  named?: string | undefined;
  /** Content without an answer. */
  children: ReactNode;
};

/** One of several texts; the loader chooses before the first layout, so that nothing moves and no gap is left. */
export function ByAnswer({ when = {}, named, children }: Props) {
  const [before, after] = named?.split('{{name}}') ?? [];
  return (
    <span className={styles.answers}>
      <span>{children}</span>
      {Object.entries(when).map(([answer, shown]) => (
        <span key={answer} data-need={`answers.${answer}`} data-missing="">
          {shown}
        </span>
      ))}
      {named && (
        <span className={styles.named} data-need="map.name" data-missing="">
          {before}
          <bdi data-fill="map.name" />
          {after}
        </span>
      )}
    </span>
  );
}
