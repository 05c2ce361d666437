import type { ComponentProps } from 'react';
import { inputClass } from './field.tsx';

type Props = ComponentProps<'input'> & {
  /** Also the field's name; the error's id is `<id>-error`. */
  id: string;
  /** The surrounding field's error. */
  error: string;
};

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
