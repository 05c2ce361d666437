import type { ReactNode } from 'react';
import styles from './no-script.module.css';

type Props = {
  text: string;
  /** What helps without it. */
  children?: ReactNode;
};

/** Says to who has no JavaScript that this page cannot work without it, and what does. */
export function NoScript({ text, children }: Props) {
  return (
    <noscript>
      <p className={styles.notice}>{text}</p>
      {children}
    </noscript>
  );
}
