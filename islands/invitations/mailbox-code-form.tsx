import { type FormEvent, useEffect, useState } from 'react';
import { untilText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import { digitsOf } from '../../locales/format/plain-text.ts';
import type { IslandText } from '../../locales/index.ts';
import { refusalMessage } from '../runtime/refusal-message.ts';
import { $signup } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { type Action, QuietActions } from '../ui/quiet-actions.tsx';
import { confirmMailbox, emailMailboxCode } from './confirm-mailbox.ts';
import styles from './invitations.module.css';

type Text = IslandText['invite-panel'];

type Props = {
  text: Text;
  language: string;
  /** A sentence with `{{email}}` before a code is mailed: what it is for. */
  why?: string;
  /** What happens once it is typed. */
  then?: string;
  note?: string;
  confirm?: string | undefined;
  isMailed?: boolean;
  /** What else can be done. */
  actions?: readonly (Action | false)[];
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
    await confirmMailbox(digits).catch((refusal) => {
      setError(refusalMessage(refusal) ?? text.refused);
      document.querySelector<HTMLInputElement>('#mailbox-code')?.select();
    });
    setPending(false);
  };
  return { error, pending, setError, confirm };
}

/** A sentence with the buyer's address, which moves to the next line as a whole. */
function Addressed({ sentence, then }: { sentence: string; then?: string | undefined }) {
  const [before, after] = sentence.split('{{email}}');
  return (
    <p>
      {before}
      <bdi className={`strong break ${styles.whole}`} dir="ltr">
        {$signup.get().email}
      </bdi>
      {after} {then}
    </p>
  );
}

export function MailboxCodeForm(props: Props) {
  const { text, language, why = '', then, note, actions = [] } = props;
  const mailed = useMailedCode(text);
  const { error, pending, setError, confirm } = useTypedCode(text);
  const isMailed = props.isMailed || mailed.isMailed;
  const wait = interpolate(text.code_wait, { time: untilText(mailed.waitMs, language) });
  const rare: (Action | false)[] = [
    { id: 'wrong-address', label: text.wrong_address, href: '/support' },
    ...actions.filter((action) => action !== false && action.isEnd),
  ];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('mailbox-code') ?? '');
    confirm(digitsOf(typed));
  };
  return (
    <form className="stack gap-16" method="post" noValidate onSubmit={submit}>
      <Addressed sentence={isMailed ? text.code_to : why} then={isMailed ? then : ''} />
      {isMailed ? (
        <div className={`stack gap-12 ${styles.code}`}>
          <Field
            id="mailbox-code"
            label={text.code}
            dir="ltr"
            error={error}
            hint={<p className="note">{text.spam}</p>}
          >
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
          <ContinueButton
            id="confirm-mailbox"
            label={props.confirm || text.confirm}
            pending={pending}
          />
          {/* In one place, so that nothing moves when the time is over. */}
          {mailed.waitMs > 0 ? (
            <p className={`note middle tabular ${styles.again}`}>{`${wait} ${text.code_sent}`}</p>
          ) : (
            <button
              className={`text-button ${styles.again}`}
              id="verify"
              type="button"
              onClick={mailed.mail}
            >
              {text.code_again}
            </button>
          )}
        </div>
      ) : (
        <ContinueButton
          id="verify"
          label={text.code_mail}
          type="button"
          pending={mailed.pending}
          onClick={mailed.mail}
        />
      )}
      {note && <p className="note">{note}</p>}
      <p className={mailed.waitMs > 0 ? 'visually-hidden' : 'note status'} role="status">
        {mailed.status}
      </p>
      <div>
        <QuietActions actions={actions.filter((action) => action && !action.isEnd)} />
        {rare.length === 1 ? (
          <QuietActions actions={rare} />
        ) : (
          <details>
            <summary className={`text-button row gap-8 chevron ${styles.more}`}>
              {text.more}
            </summary>
            <QuietActions actions={rare} />
          </details>
        )}
      </div>
    </form>
  );
}
