import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { CodeCheck } from '../worker/accounts/check-code.ts';
import type { SubscriptionView } from '../worker/payments/rules/purchase-view.ts';
import { CancelFlow } from './account/cancel-flow.tsx';
import { ContinueAs } from './account/continue-as.tsx';
import { DataRights } from './account/data-rights.tsx';
import { type PurchaseAction, PurchaseList } from './account/purchase-list.tsx';
import { purchaseWords } from './account/purchase-text.ts';
import {
  cancel,
  claim,
  deleteAccount,
  guaranteedNow,
  loadMyPurchases,
  myData,
  resume,
  signOut,
  withdraw,
} from './account/purchases-api.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import { inspectSignInLink, openSignInLink } from './account/sign-in-link.ts';
import { codeInUrl, putCodeInUrl, watchUrlCode } from './app-link/url-code.ts';
import { Invitations } from './invitations/invitations.tsx';
import { errorCode, messageOf } from './runtime/api.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ContinueButton } from './ui/continue-button.tsx';

function downloadJson(name: string, content: unknown): void {
  const file = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface Props {
  text: IslandText['my-account'];
  /** For `manage`. */
  invite?: IslandText['invite-panel'];
  /** Whether there are tiles for a street map. */
  tiles: boolean;
  language: string;
  /** `manage` shows all purchases; `cancel` only the cancellation flow. */
  mode: 'manage' | 'cancel';
}

type State = 'waiting' | 'asking' | 'signed_out' | 'failed' | 'shown' | 'done' | 'deleted';

/** The account's purchases, for the signed-in owner: review, cancel, withdraw, delete. */
export default function MyAccount({ text, invite, tiles, language, mode }: Props) {
  const [state, setState] = useState<State>('waiting');
  const [subscriptions, setSubscriptions] = useState<SubscriptionView[]>([]);
  const [guaranteed, setGuaranteed] = useState<readonly string[]>([]);
  const [openStep, setOpenStep] = useState('');
  const [link, setLink] = useState<(CodeCheck & { code: string }) | null>(null);
  const [pending, setPending] = useState(false);
  const [message, setMessage] = useState('');

  /** Inspects the link; asks for confirmation when it opens another account. */
  const inspect = async (code: string) => {
    if (!code) return load();
    setState('waiting');
    try {
      const inspection = await inspectSignInLink(code);
      setLink({ ...inspection, code });
      if (inspection.state === 'ready' && !inspection.mine) return setState('asking');
    } catch {
      return setState('failed');
    }
    return load(code);
  };
  const load = async (code = '') => {
    setState('waiting');
    setMessage('');
    try {
      if (code) await openSignInLink(code);
      putCodeInUrl('');
    } catch (refused) {
      if (!errorCode(refused)?.startsWith('sign_in_link')) return setState('failed');
      putCodeInUrl('');
      setMessage(text.link_over);
    }
    const found = await loadMyPurchases();
    if (typeof found === 'string') return setState(found);
    setGuaranteed(mode === 'manage' && found.length > 0 ? await guaranteedNow() : []);
    setSubscriptions(found);
    setState('shown');
  };
  useOnHydrate(() => watchUrlCode(inspect));

  const run = async (work: () => Promise<void>) => {
    if (pending) return;
    setPending(true);
    setMessage('');
    await work().catch((refused) => {
      setMessage(messageOf(refused) ?? text.refused);
      if (errorCode(refused) === 'unauthorized') setState('signed_out');
    });
    setPending(false);
    setOpenStep('');
  };
  const change = (work: () => Promise<SubscriptionView[]>, then: State, words: string) =>
    run(async () => {
      setSubscriptions(await work());
      setState(then);
      setMessage(words);
    });
  const actions = {
    cancel: [cancel, text.done],
    resume: [resume, text.resumed],
    withdraw: [withdraw, text.withdrawn],
    claim: [claim, text.claimed],
  } as const;
  const perform = (action: PurchaseAction, attempt: string, then: State) => {
    const [work, words] = actions[action];
    return change(() => work(attempt), then, words);
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
      <div className="stack gap-16">
        <ContinueAs
          text={text}
          email={link.email ?? ''}
          signedInAs={link.signed_in_as}
          onContinue={() => load(link.code)}
          restartHref="/"
        />
      </div>
    );
  }
  if (state === 'failed') {
    return (
      <div className="stack gap-16">
        <p role="alert">{text.failed}</p>
        <ContinueButton label={text.retry} type="button" onClick={() => inspect(codeInUrl())} />
      </div>
    );
  }
  if (state === 'signed_out') {
    return (
      <div className="stack gap-16">
        {message && <p role="alert">{message}</p>}
        <RequestSignInLink text={text} purpose={mode} />
      </div>
    );
  }
  const steps = { openStep, pending, onOpenStep: setOpenStep };
  const purchases = { words: purchaseWords(text, language), subscriptions };
  return (
    <div className="stack gap-16">
      <p className="status strong" role="status">
        {message}
      </p>
      {mode === 'cancel' ? (
        <CancelFlow
          {...purchases}
          {...steps}
          done={state === 'done'}
          onConfirm={(attempt) => perform('cancel', attempt, 'done')}
        />
      ) : (
        <>
          <PurchaseList
            {...purchases}
            {...steps}
            refundableAttempts={guaranteed}
            onAction={(action, attempt) => perform(action, attempt, 'shown')}
          />
          {invite && <Invitations text={invite} language={language} tiles={tiles} />}
          <DataRights
            {...steps}
            text={text}
            onDownload={() => run(async () => downloadJson('my-data.json', await myData()))}
            onSignOut={() =>
              run(async () => {
                await signOut();
                setState('signed_out');
                setMessage(text.signed_out_now);
              })
            }
            onDelete={() => run(() => deleteAccount().then(() => setState('deleted')))}
          />
        </>
      )}
    </div>
  );
}
