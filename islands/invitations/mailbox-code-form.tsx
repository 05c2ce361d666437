import { type FormEvent, useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import { digitsOf } from '../../locales/format/plain-text.ts';
import type { IslandText } from '../../locales/index.ts';
import { refusalMessage } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { useRequestState } from '../ui/use-request-state.ts';
import { confirmMailbox, emailMailboxCode } from './confirm-mailbox.ts';

type Props = {
  text: IslandText['invite-panel'];
  /** A sentence with `{{email}}` that says what the code is for. */
  why: string;
  isMailed: boolean;
};

const length = 6;

export function MailboxCodeForm({ text, why, isMailed }: Props) {
  const [error, setError] = useState('');
  const [pending, setPending] = useState(false);
  const [mailing, mail] = useRequestState(() => emailMailboxCode());
  const confirm = async (digits: string) => {
    if (pending) return;
    if (digits.length !== length) return setError(text.code_short);
    setPending(true);
    await confirmMailbox(digits).catch((refusal) =>
      setError(refusalMessage(refusal) ?? text.refused),
    );
    setPending(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('mailbox-code') ?? '');
    confirm(digitsOf(typed));
  };
  const shown = isMailed || mailing === 'sent';
  return (
    <form className="stack gap-12" method="post" noValidate onSubmit={submit}>
      <p className="break">
        {interpolate(why, {
          // Isolated left to right between Arabic words.
          email: `\u2066${$signup.get().email}\u2069`,
        })}
      </p>
      {shown && (
        <>
          <Field id="mailbox-code" label={text.code} dir="ltr" error={error}>
            <TextInput
              id="mailbox-code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              error={error}
              onInput={({ currentTarget }) => {
                setError('');
                const digits = digitsOf(currentTarget.value);
                if (digits.length === length) confirm(digits);
              }}
            />
          </Field>
          <ContinueButton id="confirm-mailbox" label={text.confirm} pending={pending} />
        </>
      )}
      {shown ? (
        <button className="text-button small" id="verify" type="button" onClick={mail}>
          {text.code_again}
        </button>
      ) : (
        <ContinueButton
          id="verify"
          label={text.code_mail}
          type="button"
          pending={mailing === 'pending'}
          onClick={mail}
        />
      )}
      <p className="note">
        <a href="/support">{text.wrong_address}</a>
      </p>
      <p className="note" role="status">
        {mailing === 'sent' && text.code_sent}
        {mailing === 'failed' && text.email_failed}
      </p>
    </form>
  );
}
