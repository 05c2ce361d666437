import type { FormEvent } from 'react';
import type { IslandText } from '../../locales/index.ts';
import styles from '../invite-panel.module.css';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, inputClass } from '../ui/field.tsx';
import { RadioCard } from '../ui/radio-card.tsx';
import { TextInput } from '../ui/text-input.tsx';

const durations = ['hour', 'day', 'until_stopped'] as const;
const maxNameLength = 20;

export interface FormErrors {
  phone?: string;
  name?: string;
  duration?: string;
}

type Props = {
  text: IslandText['invite-panel'];
  phone: string | null;
  name: string;
  duration: string;
  errors: FormErrors;
  pending: boolean;
  onOtherNumber: () => void;
  onSubmit: (fields: FormData) => void;
};

export function InvitationForm(props: Props) {
  const { text, phone, name, duration, errors, pending, onOtherNumber, onSubmit } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className="stack gap-12" method="post" noValidate onSubmit={submit}>
      {phone ? (
        <div className={`row spread wrap ${styles.to}`}>
          <p>
            {text.to} <bdi dir="ltr">{phone}</bdi>
          </p>
          <button className="text-button" id="change-number" type="button" onClick={onOtherNumber}>
            {text.other}
          </button>
        </div>
      ) : (
        <Field id="phone" label={text.phone} dir="ltr" error={errors.phone ?? ''}>
          <TextInput
            id="phone"
            type="tel"
            inputMode="tel"
            autoComplete="off"
            error={errors.phone ?? ''}
          />
        </Field>
      )}
      <Field id="name" label={text.name} error={errors.name ?? ''}>
        <input
          className={inputClass}
          id="name"
          name="name"
          autoComplete="given-name"
          maxLength={maxNameLength}
          dir="auto"
          defaultValue={name}
          aria-invalid={errors.name ? true : undefined}
          aria-describedby="name-error"
        />
      </Field>
      <fieldset className="stack gap-8" aria-describedby="duration-error">
        <legend className={`small strong ${styles.legend}`}>{text.long}</legend>
        {durations.map((one) => (
          <RadioCard
            key={one}
            name="duration"
            value={one}
            label={text[one]}
            chosen={one === duration}
          />
        ))}
        <p className={`error ${styles.error}`} id="duration-error" role="alert">
          {errors.duration}
        </p>
      </fieldset>
      <ContinueButton id="preview-message" label={text.see} pending={pending} />
    </form>
  );
}
