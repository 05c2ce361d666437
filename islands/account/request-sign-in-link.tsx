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
  /** The button's. */
  id?: string;
  /** What stands in the field at first. */
  email: string;
  error: string;
  state: 'idle' | 'pending' | 'sent' | 'failed';
  onAsk: (email: string) => void;
};

/** Asks for the e-mail that a link back is mailed to. */
export function RequestSignInLink({ text, id, email, error, state, onAsk }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAsk(String(new FormData(event.currentTarget).get('email') ?? '').trim());
  };
  return (
    <form className={styles.form} method="post" noValidate onSubmit={submit}>
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
