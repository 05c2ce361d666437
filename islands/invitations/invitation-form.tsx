import type { FormEvent } from 'react';
import { momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, inputClass, TextInput } from '../ui/field.tsx';
import { RadioCard } from '../ui/radio-card.tsx';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import styles from './invitations.module.css';
import type { Message } from './requester-store.ts';

type PreviewProps = {
  text: IslandText['invite-panel'];
  language: string;
  message: Message;
  emailVerified: boolean;
  pending: boolean;
  onSend: () => void;
  onCopy: () => void;
  onChange: () => void;
};

/** The exact message, sent by us as SMS or shared as a link. */
export function MessagePreview(props: PreviewProps) {
  const { text, language, message, emailVerified, pending, onSend, onCopy, onChange } = props;
  const { sends_at } = message;
  const whenVerified = sends_at
    ? interpolate(text.later, { date: momentText(sends_at, language) })
    : text.now;
  return (
    <div className="stack gap-8">
      <div className={`row spread wrap ${styles.to}`}>
        <h3 className={styles.title}>{text.message}</h3>
        <button className="text-button" id="change" type="button" onClick={onChange}>
          {text.change}
        </button>
      </div>
      <blockquote
        className={`notice padded break ${styles.message}`}
        lang={message.language}
        dir="auto"
      >
        {message.text}
      </blockquote>
      <p className={`note ${styles.note}`}>{emailVerified ? whenVerified : text.email_first}</p>
      <ContinueButton
        id="send"
        label={text.send}
        type="button"
        pending={pending}
        onClick={onSend}
      />
      <SecondaryButton id="copy" label={text.copy} type="button" onClick={onCopy} />
    </div>
  );
}

const linkDurations = ['hour', 'day'] as const;
const durations = [...linkDurations, 'until_stopped'] as const;
const maxNameLength = 20;

export interface FormErrors {
  phone?: string;
  name?: string;
  duration?: string;
}

type Props = {
  text: IslandText['invite-panel'];
  phone: string | null;
  /** Whether the buyer sends a link, because the number gets no SMS. */
  byLink: boolean;
  name: string;
  duration: string;
  errors: FormErrors;
  pending: boolean;
  onOtherNumber: () => void;
  onSubmit: (fields: FormData) => void;
};

function Receiver({ text, phone, errors, onOtherNumber }: Props) {
  if (phone) {
    return (
      <div className={`row spread wrap ${styles.to}`}>
        <p>
          {text.to} <bdi dir="ltr">{phone}</bdi>
        </p>
        <button className="text-button" id="change-number" type="button" onClick={onOtherNumber}>
          {text.other}
        </button>
      </div>
    );
  }
  return (
    <Field id="phone" label={text.phone} dir="ltr" error={errors.phone ?? ''}>
      <TextInput
        id="phone"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        error={errors.phone ?? ''}
      />
    </Field>
  );
}

export function InvitationForm(props: Props) {
  const { text, byLink, name, duration, errors, pending, onSubmit } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className="stack gap-4" method="post" noValidate onSubmit={submit}>
      <Receiver {...props} />
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
      <fieldset className={`stack gap-8 ${styles.question}`} aria-describedby="duration-error">
        <legend className={`small strong ${styles.legend}`}>{text.long}</legend>
        <p className={`note ${styles.hint}`}>{text.long_hint}</p>
        <div className={styles.durations}>
          {(byLink ? linkDurations : durations).map((choice) => (
            <RadioCard
              key={choice}
              name="duration"
              value={choice}
              label={text[choice]}
              chosen={choice === duration}
            />
          ))}
        </div>
        <p className={`error ${styles.error}`} id="duration-error" role="alert">
          {errors.duration}
        </p>
      </fieldset>
      {byLink ? (
        <ContinueButton id="copy" label={text.copy_link} pending={pending} />
      ) : (
        <ContinueButton id="preview-message" label={text.see} pending={pending} />
      )}
    </form>
  );
}
