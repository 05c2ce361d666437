import { type FormEvent, useState } from 'react';
import { typedEmail } from '../locales/format/typed-code.ts';
import type { IslandText } from '../locales/index.ts';
import { storeEmail } from './account/email-step.ts';
import { requestSignInLink } from './account/sign-in-link.ts';
import { settleNumber, signUpAndGoOn } from './account/signup.ts';
import { useEmailField } from './account/use-email-field.ts';
import styles from './email-form.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $signup } from './stores/signup.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { EmailInput, Field, FieldError } from './ui/field.tsx';
import { SendEmailButton } from './ui/send-email-button.tsx';
import { useRequestState } from './ui/use-request-state.ts';

type SuggestionProps = {
  /** A sentence with an `{{email}}` placeholder. */
  text: string;
  email: string;
  onAccept: () => void;
};

/** Offers a corrected address on one line; a long one is shortened in the middle, never in its host. */
export function EmailSuggestion({ text, email, onAccept }: SuggestionProps) {
  const [before, after] = text.split('{{email}}');
  const at = email.lastIndexOf('@');
  return (
    <button
      className={`small ${styles.suggestion}`}
      type="button"
      data-shortcut=""
      onClick={onAccept}
    >
      <span>{before}</span>
      <span className={`beside shrink strong ${styles.address}`} dir="ltr">
        <span className={styles.local}>{email.slice(0, at)}</span>
        <span>{email.slice(at)}</span>
      </span>
      <span>{after}</span>
    </button>
  );
}

/** Shortcuts that complete the typed text, once it has an `@`. */
export function shortcutsFor(typed: string, hosts: readonly string[]): readonly string[] {
  const domain = typed.split('@')[1]?.trim().toLowerCase();
  return hosts.filter((host) => domain !== undefined && host.startsWith(domain));
}

export function withDomain(typed: string, host: string): string {
  const [local = ''] = typedEmail(typed).split('@');
  return local && `${local}@${host}`;
}

type DomainButtonsProps = {
  label: string;
  typed: string;
  hosts: readonly string[];
  onChoose: (host: string) => void;
};

export function EmailDomainButtons({ label, typed, hosts, onChoose }: DomainButtonsProps) {
  return (
    <fieldset className={`beside wrap gap-8 ${styles.shortcuts}`} aria-label={label}>
      {shortcutsFor(typed, hosts).map((host) => (
        <button
          key={host}
          className={`small-button ${styles.shortcut}`}
          type="button"
          dir="ltr"
          data-shortcut=""
          onClick={() => onChoose(host)}
        >
          {`@${host}`}
        </button>
      ))}
    </fieldset>
  );
}

interface Props {
  text: IslandText['email-form'];
  action: string;
  /** E-mail hosts offered as shortcuts; empty hides them. */
  shortcuts: readonly string[];
}

export default function EmailForm({ text, action, shortcuts }: Props) {
  const field = useEmailField(text);
  const { error, setError, suggested, value, replace } = field;
  const [pending, setPending] = useState(false);
  const [mailing, mail] = useRequestState(() => requestSignInLink({ email: value() }));
  useOnHydrate(() => void settleNumber());

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    const email = storeEmail(value());
    if (!$signup.get().emailValidity) {
      setError(email ? text.email_error_message_invalid : text.email_error_message_empty);
      field.focus();
      return;
    }
    setPending(true);
    const refusal = await signUpAndGoOn(email, text);
    if (refusal !== null) setError(refusal);
    setPending(false);
  };

  const emailTaken = error === text.taken;
  return (
    <form className="stack gap-8" method="post" action={action} noValidate onSubmit={submit}>
      <Field id="email" label={text.label} dir="ltr" error={error} errorElsewhere>
        <EmailInput {...field.props} />
      </Field>
      {/* The key makes the message about a taken address a new element, so none that is visible moves. */}
      <div className={emailTaken ? undefined : styles.below} key={emailTaken ? 'taken' : 'other'}>
        <FieldError
          id="email"
          error={error}
          hint={
            suggested ? (
              <EmailSuggestion
                text={text.suggestion}
                email={suggested}
                onAccept={() => replace(suggested)}
              />
            ) : shortcutsFor(field.typed, shortcuts).length === 0 ? (
              <p className={`note ${styles.hint}`}>{text.hint}</p>
            ) : (
              <EmailDomainButtons
                label={text.shortcuts}
                typed={field.typed}
                hosts={shortcuts}
                onChoose={(host) => replace(withDomain(value(), host))}
              />
            )
          }
        />
      </div>
      {emailTaken ? (
        <SendEmailButton
          main
          state={mailing}
          text={{ ...text, mail: text.mail_link }}
          onSend={mail}
        />
      ) : (
        <ContinueButton label={text.button} pending={pending} />
      )}
    </form>
  );
}
