import { type FormEvent, useEffect, useState } from 'react';
import { untilText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import { digitsOf } from '../../locales/format/plain-text.ts';
import type { IslandText } from '../../locales/index.ts';
import { refusalMessage } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { confirmMailbox, emailMailboxCode } from './confirm-mailbox.ts';

type Text = IslandText['invite-panel'];

type Props = {
  text: Text;
  language: string;
  /** A sentence with `{{email}}` that says what the code is for. */
  why: string;
  isMailed: boolean;
};

const length = 6;

/** Mails a code, and counts the time until the next one is possible. */
function useMailedCode(text: Text) {
  const [pending, setPending] = useState(false);
  const [status, setStatus] = useState('');
  const [nextAt, setNextAt] = useState(0);
  const [waitMs, setWaitMs] = useState(0);
  useEffect(() => {
    if (nextAt === 0) return;
    const count = () => setWaitMs(Math.max(0, nextAt - Date.now()));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [nextAt]);
  const mail = async () => {
    if (pending || waitMs > 0) return;
    setPending(true);
    await emailMailboxCode().then(
      (wait) => {
        setNextAt(Date.now() + wait);
        setStatus(text.code_sent);
      },
      (refusal) => setStatus(refusalMessage(refusal) ?? text.email_failed),
    );
    setPending(false);
  };
  return { pending, status, isMailed: nextAt > 0, waitMs, mail };
}

function useTypedCode(text: Text) {
  const [error, setError] = useState('');
  const [pending, setPending] = useState(false);
  const confirm = async (digits: string) => {
    if (pending) return;
    if (digits.length !== length) return setError(text.code_short);
    setPending(true);
    await confirmMailbox(digits).catch((refusal) =>
      setError(refusalMessage(refusal) ?? text.refused),
    );
    setPending(false);
  };
  return { error, pending, setError, confirm };
}

export function MailboxCodeForm({ text, language, why, isMailed }: Props) {
  const mailed = useMailedCode(text);
  const { error, pending, setError, confirm } = useTypedCode(text);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('mailbox-code') ?? '');
    confirm(digitsOf(typed));
  };
  return (
    <form className="stack gap-12" method="post" noValidate onSubmit={submit}>
      <p className="break">
        {interpolate(why, {
          // Isolated left to right between Arabic words.
          email: `\u2066${$signup.get().email}\u2069`,
        })}
      </p>
      {isMailed || mailed.isMailed ? (
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
          <button
            className={`text-button small tabular ${mailed.waitMs > 0 ? 'soft' : ''}`}
            id="verify"
            type="button"
            aria-disabled={mailed.waitMs > 0 || undefined}
            onClick={mailed.mail}
          >
            {mailed.waitMs > 0
              ? interpolate(text.code_wait, { time: untilText(mailed.waitMs, language) })
              : text.code_again}
          </button>
        </>
      ) : (
        <ContinueButton
          id="verify"
          label={text.code_mail}
          type="button"
          pending={mailed.pending}
          onClick={mailed.mail}
        />
      )}
      <p className="note">
        <a href="/support">{text.wrong_address}</a>
      </p>
      <p className="note" role="status">
        {mailed.status}
      </p>
    </form>
  );
}
