import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect } from 'react';
import type { IslandText } from '../../locales/index.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import { requestSignInLink } from '../account/sign-in-link.ts';
import { $invitationProgress } from '../stores/checklist.ts';
import { $signup, sessionToken } from '../stores/signup.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SendEmailButton } from '../ui/send-email-button.tsx';
import { type RequestState, useRequestState } from '../ui/use-request-state.ts';
import { InvitationCard, RefundOffer } from './invitation-list.tsx';
import styles from './invitations.module.css';
import { InvitationsHeading } from './invitations-heading.tsx';
import { NewInvitation } from './new-invitation.tsx';
import {
  $invitations,
  endInvitation,
  invitationProgress,
  loadInvitations,
  noInviteeAccepted,
  postKept,
  watchInvitations,
  withdrawInvitation,
} from './requester-store.ts';
import { useNewInvitation } from './use-new-invitation.ts';

interface Props {
  text: IslandText['invite-panel'];
  language: string;
  /** Path of the refund policy; omitted where the purchase itself offers the refund. */
  refunds?: string;
  streetSource: StreetSource | null;
  /** The step's number in the success page's checklist. */
  step?: number;
  /** Outside the checklist: whether the page shows only the invitations. */
  inviting?: boolean;
  /** When the visitor opens the form. */
  onOpen?: () => void;
}

/** Sends an invitation when the buyer presses Send, and shows the state of all invitations. */
export function Invitations(props: Props) {
  const { text, language, refunds, streetSource, step, inviting, onOpen } = props;
  const slice = useStore($invitations, { ssr: 'initial' });
  const { stage, invitations, drawings, refund, emailVerified } = slice;
  const token = sessionToken(useStore($signup, { keys: ['token', 'own'], ssr: 'initial' }));
  const newInvitation = useNewInvitation(text, onOpen);
  const { more, open, pending, setStatus, run } = newInvitation;
  const [mailing, mail] = useRequestState(() =>
    requestSignInLink({ email: $signup.get().email, ...(step ? {} : { for: 'manage' as const }) }),
  );
  useEffect(() => {
    loadInvitations(token);
    return watchInvitations();
  }, [token]);

  // Outside the checklist the first invitation is asked for with a press, like any further one.
  const foldable = !step && stage === 'open' && invitations.length === 0;
  const wanted = (more && inviting !== false) || (invitations.length === 0 && !foldable);
  const isFormShown = stage === 'open' && wanted;
  const progress = invitationProgress(slice, isFormShown);
  useLayoutEffect(() => $invitationProgress.set(progress), [progress]);

  if (stage === 'hidden') return null;
  const done = progress === 'accepted' || (progress === 'invited' && invitations.some(isOut));
  return (
    <section
      className={`stack gap-16 top ${step ? styles.step : 'card'}`}
      id="invitation"
      data-waits={stage === 'waiting' ? '' : undefined}
    >
      <InvitationsHeading
        title={step || invitations.length > 0 ? text.title : text.invite}
        step={step}
        done={done && text.done}
        onOpen={foldable && !isFormShown ? open : undefined}
        hidden={inviting === true}
      />
      {stage === 'waiting' && <p role="status">{text.waiting}</p>}
      {stage === 'failed' && (
        <RetryNotice
          id="retry"
          message={text.failed}
          retry={text.retry}
          onRetry={() => loadInvitations()}
        />
      )}
      {isFormShown && (
        <NewInvitation
          {...newInvitation}
          text={text}
          language={language}
          step={step}
          emailVerified={emailVerified}
        />
      )}
      <Outcome text={text} work={newInvitation} mailing={mailing} onMail={mail} />
      {invitations.map((invitation) => (
        <InvitationCard
          key={invitation.id}
          text={text}
          language={language}
          invitation={invitation}
          drawing={drawings[invitation.id] ?? null}
          streetSource={streetSource}
          mailing={mailing}
          onMail={mail}
          onSend={() => run(() => postKept(invitation.id))}
          onEnd={() => run(() => endInvitation(invitation.id))}
        />
      ))}
      {refunds && noInviteeAccepted(slice) && (
        <RefundOffer
          text={text}
          claimable={refund}
          refundPolicy={refunds}
          pending={pending}
          onClaim={() => run(() => withdrawInvitation().then(() => setStatus(text.claimed)))}
        />
      )}
      {stage === 'open' && !isFormShown && !foldable && (
        <button
          className={`text-button ${styles.another}`}
          id="invite-another"
          type="button"
          onClick={open}
        >
          {text.another}
        </button>
      )}
    </section>
  );
}

type OutcomeProps = {
  text: Props['text'];
  work: Pick<ReturnType<typeof useNewInvitation>, 'status' | 'link' | 'refused'>;
  mailing: RequestState;
  onMail: () => void;
};

/** What the last press led to: a sentence, a link to pass on, or the e-mail that has to be confirmed first. */
function Outcome({ text, work: { status, link, refused }, mailing, onMail }: OutcomeProps) {
  return (
    <>
      <p className="status" role="status">
        {status}
      </p>
      {link && (
        <p className={`notice padded break ${styles.link}`} dir="ltr">
          {link}
        </p>
      )}
      {refused === 'email_unverified' && (
        <SendEmailButton id="verify" main state={mailing} text={text} onSend={onMail} />
      )}
    </>
  );
}

const isOut = ({ state }: { state: string }) =>
  state === 'sending' || state === 'sent' || state === 'accepted';
