import type { ComponentProps } from 'react';
import { inputClass } from './field.tsx';

type Props = ComponentProps<'input'> & {
  /** Also its name in the form; the error's id is `<id>-error`. */
  id: string;
  /** What is wrong, as the field around it says. */
  error: string;
};

/** An uncontrolled input in a field, for what is written from left to right and is no prose. */
export function TextInput({ id, error, ...more }: Props) {
  return (
    <input
      className={inputClass}
      id={id}
      name={id}
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      aria-invalid={error ? true : undefined}
      aria-describedby={`${id}-error`}
      {...more}
    />
  );
}

/** An input for an e-mail, with the right keyboard and autofill. */
export function EmailInput(props: Omit<Props, 'id'>) {
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
