import { useLayoutEffect, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Market } from '../worker/catalog/rules/markets.ts';
import type { StreetSource } from '../worker/rendering/page-types.ts';
import { CancelFlow } from './account/cancel-flow.tsx';
import type { AccountText, CancelText } from './account/cancel-text.ts';
import { isGate, LinkGate } from './account/link-gate.tsx';
import { ManagedAccount } from './account/managed-account.tsx';
import { purchaseWords } from './account/purchase-text.ts';
import { showResult } from './account/show-result.ts';
import { useAccount } from './account/use-account.ts';
import { useAccountActions } from './account/use-account-actions.ts';
import { codeInUrl } from './app-link/url-code.ts';
import { Spinner } from './ui/spinner.tsx';

interface Props {
  text: AccountText;
  cancel?: CancelText;
  /** Only for `manage`. */
  invite?: IslandText['invite-panel'];
  streetSource: StreetSource | null;
  language: string;
  orderButton: Market['orderButton'];
  /** `manage` shows all purchases; `cancel` only the cancellation flow. */
  mode: 'manage' | 'cancel';
}

function useInviting() {
  const [inviting, setInviting] = useState(false);
  useLayoutEffect(() => (inviting ? showResult() : undefined), [inviting]);
  const close = () => {
    document.querySelector<HTMLElement>('h1')?.focus();
    setInviting(false);
  };
  return { inviting, setInviting, close };
}

/** The account's purchases, for the signed-in owner: review, cancel, withdraw, delete. */
export default function MyAccount(props: Props) {
  const { text, cancel, invite, streetSource, language, orderButton, mode } = props;
  const account = useAccount(text, mode);
  const { state, setState, message, setMessage, subscriptions, details } = account;
  const { run, perform, changes, steps } = useAccountActions(text, account);
  const { inviting, setInviting, close } = useInviting();
  const cancelled = mode === 'cancel' && state === 'done';
  useLayoutEffect(() => {
    if (cancelled) showResult(message);
  }, [cancelled, message]);
  const only = state === 'waiting' ? text.waiting : state === 'deleted' ? text.deleted : '';
  if (only) {
    return (
      <p className="row gap-12" role="status" data-waits={state === 'waiting' ? '' : undefined}>
        {state === 'waiting' && <Spinner />}
        {only}
      </p>
    );
  }
  if (isGate(state)) {
    return (
      <LinkGate
        state={state}
        text={text}
        failed={text.failed}
        message={message}
        link={account.link}
        purpose={mode}
        onContinue={account.load}
        onRetry={() => account.inspect(codeInUrl())}
      />
    );
  }
  const { offers, receipts, email, renewal, guaranteed, elsewhere } = details;
  const shown = elsewhere ? { ...text, nothing: text.elsewhere } : text;
  const words = purchaseWords(shown, language, orderButton);
  const purchases = { words, subscriptions, ...steps, ...changes };
  return (
    <div className="stack gap-16">
      {!cancelled && (
        <p className="status strong" role="status">
          {message}
        </p>
      )}
      {elsewhere && subscriptions.length > 0 && <p>{text.elsewhere}</p>}
      {cancel ? (
        <CancelFlow
          {...purchases}
          words={{ ...words, text: { ...shown, ...cancel } }}
          offers={offers}
          done={cancelled}
          onCancel={(attempt, end) => perform('cancel', attempt, 'done', end)}
        />
      ) : (
        <ManagedAccount
          {...purchases}
          language={language}
          invite={invite}
          streetSource={streetSource}
          inviting={inviting}
          onInvite={() => setInviting(true)}
          onClose={close}
          refundableAttempts={guaranteed}
          onAction={(action, attempt) => perform(action, attempt, 'shown')}
          renewal={renewal}
          receipts={receipts}
          email={email}
          run={run}
          onSignedOut={() => {
            setState('signed_out');
            setMessage(text.signed_out_now);
          }}
          onDeleted={() => setState('deleted')}
        />
      )}
    </div>
  );
}
