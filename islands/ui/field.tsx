import type { ComponentProps, ReactNode } from 'react';
import styles from './field.module.css';

type Props = {
  id: string;
  label: string;
  dir?: 'ltr';
  /** Its line is reserved, so nothing moves when it appears. */
  error: string;
  /** No line is reserved, because the error appears elsewhere. */
  errorElsewhere?: boolean;
  /** Shown in the error's place while there is none. */
  hint?: ReactNode;
  children: ReactNode;
};

type ErrorProps = {
  id: string;
  error: string;
  hint?: ReactNode;
};

/** The line below a field, reserved so that nothing moves when an error takes the hint's place. */
export const FieldError = ({ id, error, hint }: ErrorProps) => (
  <div className={styles.below}>
    <p className="error" id={`${id}-error`} role="alert">
      {error}
    </p>
    {hint && (
      <div className={error ? styles.hidden : undefined} id={`${id}-hint`}>
        {hint}
      </div>
    )}
  </div>
);

/** A labelled box of 51 px for one input. */
export function Field(props: Props) {
  const { id, label, dir, error, errorElsewhere = false, hint, children } = props;
  return (
    <div className={`stack ${styles.field}`}>
      <label className={`small strong ${styles.label}`} htmlFor={id}>
        {label}
      </label>
      <div className={error ? `${styles.box} ${styles.wrong}` : styles.box} dir={dir}>
        {children}
      </div>
      {!errorElsewhere && <FieldError id={id} error={error} hint={hint} />}
    </div>
  );
}

export const inputClass = styles.input;

type InputProps = ComponentProps<'input'> & {
  /** Also the field's name; the error's id is `<id>-error`. */
  id: string;
  /** The surrounding field's error. */
  error: string;
};

export function TextInput({ id, error, ...more }: InputProps) {
  return (
    <input
      className={inputClass}
      id={id}
      name={id}
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      aria-invalid={error ? true : undefined}
      aria-describedby={`${id}-error ${id}-hint`}
      {...more}
    />
  );
}

export function EmailInput(props: Omit<InputProps, 'id'>) {
  return (
    <TextInput
      id="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={254}
      {...props}
    />
  );
}
