import { type FormEvent, useRef, useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { $signup, setEmail } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { EmailInput, Field } from '../ui/field.tsx';
import { useRequestState } from '../ui/use-request-state.ts';
import { isEmail } from './is-email.ts';
import styles from './request-sign-in-link.module.css';
import { requestSignInLink } from './sign-in-link.ts';

type Props = {
  text: Pick<
    IslandText['guide-reader'],
    'signed_out' | 'email' | 'mail' | 'mail_sent' | 'email_failed' | 'invalid'
  >;
  /** Id of the button. */
  id?: string;
  /** The page that the link opens; a plain sign-in when omitted. */
  purpose?: 'manage' | 'cancel';
  onRequest?: () => void;
};

/** Asks a signed-out visitor for the e-mail that gets a sign-in link. */
export function RequestSignInLink({ text, id, purpose, onRequest }: Props) {
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const [state, send] = useRequestState(() =>
    requestSignInLink({ email: $signup.get().email, for: purpose }),
  );
  useOnHydrate(() => {
    if (input.current && !input.current.value) input.current.value = $signup.get().email;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = input.current?.value.trim() ?? '';
    setError(isEmail(email) ? '' : text.invalid);
    if (!isEmail(email)) return;
    setEmail(email, true);
    onRequest?.();
    send();
  };
  return (
    <form className={`stack gap-16 ${styles.form}`} method="post" noValidate onSubmit={submit}>
      <p className={styles.lead}>{text.signed_out}</p>
      <Field id="email" label={text.email} error={error}>
        <EmailInput ref={input} error={error} />
      </Field>
      <ContinueButton id={id} label={text.mail} pending={state === 'pending'} />
      <p className={styles.said} role="status">
        {state === 'sent' && text.mail_sent}
        {state === 'failed' && text.email_failed}
      </p>
    </form>
  );
}
