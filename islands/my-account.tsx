import { useLayoutEffect, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { CodeCheck } from '../worker/accounts/check-code.ts';
import type { CancelOffers } from '../worker/catalog/rules/cancel-offers.ts';
import type { ReceiptView } from '../worker/payments/notices/receipt.ts';
import type { SubscriptionView } from '../worker/payments/subscriptions/rules/purchase-view.ts';
import type { StreetSource } from '../worker/rendering/page-types.ts';
import { AccountSections } from './account/account-sections.tsx';
import { CancelFlow } from './account/cancel-flow.tsx';
import { ContinueAs } from './account/continue-as.tsx';
import { type PurchaseAction, PurchaseList } from './account/purchase-list.tsx';
import { purchaseWords } from './account/purchase-text.ts';
import {
  cancel,
  claim,
  guaranteedNow,
  loadMyPurchases,
  mustSignIn,
  resume,
  withdraw,
} from './account/purchases-api.ts';
import { loadCard, type RenewalCard } from './account/renewal-card.ts';
import { reportUnexpected } from './account/report-unexpected.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import { showResult } from './account/show-result.ts';
import { inspectSignInLink, openSignInLink } from './account/sign-in-link.ts';
import { usePlanChanges } from './account/use-plan-changes.ts';
import { codeInUrl, putCodeInUrl, watchUrlCode } from './app-link/url-code.ts';
import { Invitations } from './invitations/invitations.tsx';
import styles from './my-account.module.css';
import { errorCode, messageOf } from './runtime/api.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { Spinner } from './ui/spinner.tsx';

interface Props {
  text: IslandText['my-account'];
  /** Only for `manage`. */
  invite?: IslandText['invite-panel'];
  streetSource: StreetSource | null;
  language: string;
  /** `manage` shows all purchases; `cancel` only the cancellation flow. */
  mode: 'manage' | 'cancel';
}

type State = 'waiting' | 'confirming' | 'signed_out' | 'failed' | 'shown' | 'done' | 'deleted';

/** The account's purchases, for the signed-in owner: review, cancel, withdraw, delete. */
export default function MyAccount({ text, invite, streetSource, language, mode }: Props) {
  const [state, setState] = useState<State>('waiting');
  const [subscriptions, setSubscriptions] = useState<SubscriptionView[]>([]);
  const [guaranteed, setGuaranteed] = useState<readonly string[]>([]);
  const [elsewhere, setElsewhere] = useState(false);
  const [receipts, setReceipts] = useState<ReceiptView[]>([]);
  const [renewal, setRenewal] = useState<RenewalCard | null>(null);
  const [openStep, setOpenStep] = useState('');
  const [offers, setOffers] = useState<CancelOffers | null>(null);
  const [link, setLink] = useState<(CodeCheck & { code: string }) | null>(null);
  const [inviting, setInviting] = useState(false);
  const [pending, setPending] = useState(false);
  const [message, setMessage] = useState('');

  /** Inspects the link; asks for confirmation when it opens another account. */
  const inspect = async (code: string) => {
    if (!code) return load();
    setState('waiting');
    try {
      const inspection = await inspectSignInLink(code);
      setLink({ ...inspection, code });
      if (inspection.state === 'ready' && !inspection.mine) return setState('confirming');
    } catch (error) {
      reportUnexpected(error);
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
      reportUnexpected(refused);
      if (!errorCode(refused)?.startsWith('sign_in_link')) return setState('failed');
      putCodeInUrl('');
      setMessage(text.link_over);
    }
    const found = await loadMyPurchases();
    if (found.kind !== 'loaded') return setState(found.kind);
    const owned = found.subscriptions;
    if (mode === 'manage' && owned.length > 0) {
      const loadingCard = loadCard().catch(reportUnexpected);
      const [refundable, card] = await Promise.all([guaranteedNow(), loadingCard]);
      setGuaranteed(refundable);
      setRenewal(card ?? null);
    }
    setOffers(found.offers);
    setReceipts(found.receipts);
    setElsewhere(found.elsewhere === true);
    setSubscriptions(owned);
    setState('shown');
  };
  useOnHydrate(() => watchUrlCode(inspect));

  const run = async (work: () => Promise<void>, thenStep = '') => {
    if (pending) return;
    setPending(true);
    setMessage('');
    let step = thenStep;
    await work().catch((refused) => {
      reportUnexpected(refused);
      step = '';
      setMessage(messageOf(refused) ?? text.refused);
      if (mustSignIn(refused)) setState('signed_out');
    });
    setPending(false);
    setOpenStep(step);
  };
  const change = (work: () => Promise<SubscriptionView[]>, then: State, words: string) =>
    run(async () => {
      setSubscriptions(await work());
      setState(then);
      setMessage(words);
    });
  const { quote, ...changing } = usePlanChanges({
    text,
    run,
    onOpenStep: setOpenStep,
    onChanged(changed, words) {
      setSubscriptions(changed);
      setMessage(words);
      // After accepting an offer the buyer is not asked again what to cancel.
      if (words === text.changed) setState('done');
    },
  });
  const cancelled = mode === 'cancel' && state === 'done';
  useLayoutEffect(() => {
    if (cancelled) showResult(message);
  }, [cancelled, message]);
  useLayoutEffect(() => (inviting ? showResult() : undefined), [inviting]);
  const close = () => {
    document.querySelector<HTMLElement>('h1')?.focus();
    setInviting(false);
  };
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
      <p className="row gap-12" role="status" data-waits={state === 'waiting' ? '' : undefined}>
        {state === 'waiting' && <Spinner />}
        {only}
      </p>
    );
  }
  if (state === 'confirming' && link) {
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
        <RequestSignInLink text={text} hint={text.signed_out} purpose={mode} />
      </div>
    );
  }
  const steps = { openStep, pending, onOpenStep: setOpenStep };
  const changes = { ...changing, quote };
  const shown = elsewhere ? { ...text, nothing: text.elsewhere } : text;
  const purchases = { words: purchaseWords(shown, language), subscriptions };
  return (
    <div className="stack gap-16">
      {!cancelled && (
        <p className="status strong" role="status">
          {message}
        </p>
      )}
      {elsewhere && subscriptions.length > 0 && <p>{text.elsewhere}</p>}
      {mode === 'cancel' ? (
        <CancelFlow
          {...purchases}
          {...steps}
          {...changes}
          offers={offers}
          done={cancelled}
          onCancel={(attempt) => perform('cancel', attempt, 'done')}
        />
      ) : (
        <>
          {!inviting && (
            <PurchaseList
              {...purchases}
              {...steps}
              {...changes}
              refundableAttempts={guaranteed}
              onAction={(action, attempt) => perform(action, attempt, 'shown')}
            />
          )}
          {invite && (
            <Invitations
              text={invite}
              language={language}
              streetSource={streetSource}
              inviting={inviting}
              onOpen={() => setInviting(true)}
            />
          )}
          {inviting ? (
            <button className={`text-button small ${styles.back}`} type="button" onClick={close}>
              {text.see}
            </button>
          ) : (
            <AccountSections
              words={purchases.words}
              language={language}
              renewal={renewal}
              receipts={receipts}
              {...steps}
              run={run}
              onSignedOut={() => {
                setState('signed_out');
                setMessage(text.signed_out_now);
              }}
              onDeleted={() => setState('deleted')}
            />
          )}
        </>
      )}
    </div>
  );
}
