import type { ComponentProps, FormEvent } from 'react';
import { ContinueButton } from './continue-button.tsx';
import { Field } from './field.tsx';
import { TextInput } from './text-input.tsx';

type Props = Omit<ComponentProps<typeof TextInput>, 'error'> & {
  label: string;
  action: string;
  error: string;
  pending: boolean;
  onSend: (typed: string) => void;
};

export function OneFieldForm({ id, label, action, error, pending, onSend, ...input }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get(id) ?? '').trim();
    if (typed && !pending) onSend(typed);
  };
  return (
    <form className="stack gap-12" method="post" noValidate onSubmit={submit}>
      <Field id={id} label={label} dir="ltr" error={error}>
        <TextInput id={id} error={error} {...input} />
      </Field>
      <ContinueButton id={`send-${id}`} label={action} pending={pending} />
    </form>
  );
}
