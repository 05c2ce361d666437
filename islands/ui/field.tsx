import type { ReactNode } from 'react';
import styles from './field.module.css';

type Props = {
  /** Id of the input inside; the error's id is `<id>-error`. */
  id: string;
  label: string;
  /** Set where what is typed runs from left to right in every language. */
  dir?: 'ltr';
  /** What is wrong; its line is there before it is, so that nothing moves. */
  error: string;
  /** Whether the error is said elsewhere, or there can be none: no line is kept for it. */
  bare?: boolean;
  /** Stands in the error's line while there is no error; one line. */
  hint?: ReactNode;
  children: ReactNode;
};

/** A labelled box of 51 px for one input, with its error below. */
export function Field({ id, label, dir, error, bare = false, hint, children }: Props) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={error ? `${styles.box} ${styles.wrong}` : styles.box} dir={dir}>
        {children}
      </div>
      {!bare && (
        <div className={styles.below}>
          <p className={styles.error} id={`${id}-error`} role="alert">
            {error}
          </p>
          {!error && hint}
        </div>
      )}
    </div>
  );
}

/** The class of an input in a field. */
export const inputClass = styles.input;
