import { type FormEvent, useRef, useState } from 'react';
import { typedEmail } from '../../locales/format/typed-code.ts';
import type { IslandText } from '../../locales/index.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { $signup, setEmail } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { EmailInput, Field } from '../ui/field.tsx';
import { useRequestState } from '../ui/use-request-state.ts';
import { isEmail } from './is-email.ts';
import styles from './request-sign-in-link.module.css';
import { requestSignInLink } from './sign-in-link.ts';

export type RequestText = Pick<
  IslandText['guide-reader'],
  'email' | 'mail' | 'mail_sent' | 'email_failed' | 'invalid'
> & {
  /** A link to support, for a visitor who does not know the address. */
  ask?: string;
};

type Props = {
  text: RequestText;
  /** Above the field, where the page has no lead for it. */
  lead?: string;
  /** Below the field, in the error's place. */
  hint?: string;
  id?: string;
  /** The page that the link opens; by default a plain sign-in. */
  purpose?: 'manage' | 'cancel';
  onRequest?: () => void;
};

export function RequestSignInLink({ text, lead, hint, id, purpose, onRequest }: Props) {
  const [error, setError] = useState('');
  const [edited, setEdited] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const [state, send] = useRequestState(() =>
    requestSignInLink({ email: $signup.get().email, for: purpose }),
  );
  useOnHydrate(() => {
    if (input.current && !input.current.value) input.current.value = $signup.get().email;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = typedEmail(input.current?.value ?? '');
    setError(isEmail(email) ? '' : text.invalid);
    if (!isEmail(email)) return;
    setEdited(false);
    setEmail(email, true);
    onRequest?.();
    send();
  };
  const [example = ''] = /[\w.]+@[\w.]+\w/.exec(text.invalid) ?? [];
  const sent = state === 'sent' && !edited;
  const wrong = error || (state === 'failed' && !edited ? text.email_failed : '');
  return (
    <>
      <form
        className="stack gap-8"
        method="post"
        noValidate
        onSubmit={submit}
        onInput={() => setEdited(true)}
      >
        {lead && <p className={styles.lead}>{lead}</p>}
        <Field
          id="email"
          label={text.email}
          error={wrong}
          hint={hint && <p className="note">{hint}</p>}
        >
          <EmailInput ref={input} error={wrong} placeholder={example} />
        </Field>
        <div className={styles.send}>
          {!sent && <ContinueButton id={id} label={text.mail} pending={state === 'pending'} />}
          <p className={sent ? `callout ${styles.said}` : styles.said} role="status">
            {sent && text.mail_sent}
          </p>
        </div>
      </form>
      {text.ask && (
        <a className={`link-plain ${styles.ask}`} href="/support">
          {text.ask}
        </a>
      )}
    </>
  );
}
