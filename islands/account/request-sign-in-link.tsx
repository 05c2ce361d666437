import type { FormEvent } from 'react';
import type { IslandText } from '../../locales/index.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field } from '../ui/field.tsx';
import { EmailInput } from '../ui/text-input.tsx';
import styles from './request-sign-in-link.module.css';

type Props = {
  text: Pick<
    IslandText['guide-reader'],
    'signed_out' | 'email' | 'mail' | 'mail_sent' | 'email_failed'
  >;
  /** Id of the button. */
  id?: string;
  /** Initial value of the field. */
  email: string;
  error: string;
  state: 'idle' | 'pending' | 'sent' | 'failed';
  onSubmit: (email: string) => void;
};

export function RequestSignInLink({ text, id, email, error, state, onSubmit }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(String(new FormData(event.currentTarget).get('email') ?? '').trim());
  };
  return (
    <form className={`stack gap-16 ${styles.form}`} method="post" noValidate onSubmit={submit}>
      <p className={styles.lead}>{text.signed_out}</p>
      <Field id="email" label={text.email} error={error}>
        <EmailInput error={error} defaultValue={email} />
      </Field>
      <ContinueButton id={id} label={text.mail} pending={state === 'pending'} />
      <p role="status">
        {state === 'sent' && text.mail_sent}
        {state === 'failed' && text.email_failed}
      </p>
    </form>
  );
}
