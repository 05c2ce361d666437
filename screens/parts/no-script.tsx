import type { ReactNode } from 'react';
import styles from './no-script.module.css';

type Props = {
  text: string;
  /** An alternative that works without JavaScript. */
  children?: ReactNode;
};

export function NoScript({ text, children }: Props) {
  return (
    <noscript>
      <p className={`notice ${styles.notice}`}>{text}</p>
      {children}
    </noscript>
  );
}
