import { useState } from 'react';
import type { Looked } from '../worker/api/look-at-code.ts';
import type { HoldingView } from '../worker/funnel/holding-view.ts';
import styles from './my-purchases.module.css';
import { AccountCare } from './parts/account-care.tsx';
import { CancelStep } from './parts/cancel-step.tsx';
import { ContinueAs } from './parts/continue-as.tsx';
import { ContinueButton } from './parts/continue-button.tsx';
import { HeldList } from './parts/held-list.tsx';
import type { Wish } from './parts/holding-ways.tsx';
import type { HoldingText } from './parts/holding-words.ts';
import { isEmail } from './parts/is-email.ts';
import { MailLogin } from './parts/mail-login.tsx';
import { saveFile } from './parts/save-file.ts';
import { errorCode, messageOf } from './runtime/api.ts';
import { codeInAddress, followCode, putCode } from './runtime/fragment.ts';
import { useSending } from './runtime/use-sending.ts';
import { useWake } from './runtime/use-wake.ts';
import { loadInvitations } from './stores/invitations.ts';
import { askMailLink, checkMailLink } from './stores/mail-link.ts';
import {
  cancel,
  claim,
  deleteAccount,
  guaranteedNow,
  loadHeld,
  myData,
  resume,
  signOut,
  withdraw,
} from './stores/my-account.ts';
import { openMailLink } from './stores/open-mail-link.ts';
import { $signup, giveEmail } from './stores/signup.ts';

interface Props {
  text: HoldingText;
  /** BCP 47. */
  language: string;
  /** All that was bought, or the way out alone. */
  shows: 'manage' | 'cancel';
}

type State = 'waiting' | 'asking' | 'signed_out' | 'failed' | 'shown' | 'done' | 'deleted';

/** What an account bought, for its owner alone: to look at, to end, to take back, to delete. */
export default function MyPurchases({ text, language, shows }: Props) {
  const [state, setState] = useState<State>('waiting');
  const [held, setHeld] = useState<HoldingView[]>([]);
  const [guaranteed, setGuaranteed] = useState<readonly string[]>([]);
  const [asking, setAsking] = useState('');
  const [link, setLink] = useState<(Looked & { code: string }) | null>(null);
  const [pending, setPending] = useState(false);
  const [said, setSaid] = useState('');
  const [error, setError] = useState('');
  const [mailing, mail] = useSending(() => askMailLink({ email: $signup.get().email, for: shows }));

  /** Looks at the link that led here, and asks first where it opens another account. */
  const arrive = async (code: string) => {
    if (!code) return load();
    setState('waiting');
    try {
      const looked = await checkMailLink(code);
      setLink({ ...looked, code });
      if (looked.state === 'ready' && !looked.mine) return setState('asking');
    } catch {
      return setState('failed');
    }
    return load(code);
  };
  const load = async (code = '') => {
    setState('waiting');
    setSaid('');
    try {
      if (code) await openMailLink(code);
      putCode('');
    } catch (refused) {
      if (!errorCode(refused)?.startsWith('mail_link')) return setState('failed');
      putCode('');
      setSaid(text.link_over);
    }
    if (code) loadInvitations();
    const found = await loadHeld();
    if (typeof found === 'string') return setState(found);
    setGuaranteed(shows === 'manage' && found.length > 0 ? await guaranteedNow() : []);
    setHeld(found);
    setState('shown');
  };
  useWake(() => followCode(arrive));

  const run = async (work: () => Promise<void>) => {
    if (pending) return;
    setPending(true);
    setSaid('');
    await work().catch((refused) => {
      setSaid(messageOf(refused) ?? text.refused);
      if (errorCode(refused) === 'unauthorized') setState('signed_out');
    });
    setPending(false);
    setAsking('');
  };
  const change = (work: () => Promise<HoldingView[]>, then: State, words: string) =>
    run(async () => {
      setHeld(await work());
      setState(then);
      setSaid(words);
    });
  const wishes = {
    cancel: [cancel, text.done],
    resume: [resume, text.resumed],
    withdraw: [withdraw, text.withdrawn],
    claim: [claim, text.claimed],
  } as const;
  const grant = (wish: Wish, attempt: string, then: State) => {
    const [work, words] = wishes[wish];
    return change(() => work(attempt), then, words);
  };
  const ask = (email: string) => {
    setError(isEmail(email) ? '' : text.invalid);
    if (!isEmail(email)) return;
    giveEmail(email, true);
    mail();
  };

  const only = state === 'waiting' ? text.waiting : state === 'deleted' ? text.deleted : '';
  if (only) {
    return (
      <p role="status" data-waits={state === 'waiting' ? '' : undefined}>
        {only}
      </p>
    );
  }
  if (state === 'asking' && link) {
    return (
      <div className={styles.mine}>
        <ContinueAs
          text={text}
          email={link.email ?? ''}
          signedInAs={link.signed_in_as}
          onContinue={() => load(link.code)}
          back="/"
        />
      </div>
    );
  }
  if (state === 'failed') {
    return (
      <div className={styles.mine}>
        <p role="alert">{text.failed}</p>
        <ContinueButton label={text.retry} type="button" onClick={() => arrive(codeInAddress())} />
      </div>
    );
  }
  if (state === 'signed_out') {
    const { email } = $signup.get();
    return (
      <div className={styles.mine}>
        {said && <p role="alert">{said}</p>}
        <MailLogin text={text} email={email} error={error} state={mailing} onAsk={ask} />
      </div>
    );
  }
  const steps = { text, language, held, asking, pending, onAsk: setAsking };
  return (
    <div className={styles.mine}>
      <p className={styles.said} role="status">
        {said}
      </p>
      {shows === 'cancel' ? (
        <CancelStep
          {...steps}
          done={state === 'done'}
          onConfirm={(attempt) => grant('cancel', attempt, 'done')}
        />
      ) : (
        <>
          <HeldList
            {...steps}
            guaranteed={guaranteed}
            onWish={(wish, attempt) => grant(wish, attempt, 'shown')}
          />
          <AccountCare
            {...steps}
            onDownload={() => run(async () => saveFile('my-data.json', await myData()))}
            onSignOut={() =>
              run(async () => {
                await signOut();
                setState('signed_out');
                setSaid(text.signed_out_now);
              })
            }
            onDelete={() => run(() => deleteAccount().then(() => setState('deleted')))}
          />
        </>
      )}
    </div>
  );
}
