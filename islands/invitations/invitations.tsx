import { useStore } from '@nanostores/react';
import { type ComponentProps, useEffect, useLayoutEffect } from 'react';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import { $invitationProgress } from '../stores/checklist.ts';
import { $signup, sessionToken } from '../stores/signup.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { InvitationCard, numberOf } from './invitation-card.tsx';
import { InvitationForm } from './invitation-form.tsx';
import styles from './invitations.module.css';
import { InvitationsHeading } from './invitations-heading.tsx';
import { MailboxCodeForm } from './mailbox-code-form.tsx';
import { RefundOffer } from './refund-offer.tsx';
import {
  $invitations,
  endInvitation,
  invitationProgress,
  loadInvitations,
  noInviteeAccepted,
  postKept,
  type ShownInvitation,
  watchInvitations,
  withdrawInvitation,
} from './requester-store.ts';
import { useNewInvitation } from './use-new-invitation.ts';
import { usePageHeading } from './use-page-heading.ts';
import { YesPins } from './yes-pins.tsx';

interface Props {
  text: ComponentProps<typeof InvitationForm>['text'];
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

function headingOf(
  text: Props['text'],
  only: ShownInvitation | undefined,
  isUnsent: boolean,
): [string, string] {
  if (!only) return ['', ''];
  const number = numberOf(text, only);
  if (isUnsent) return [text.send_link, number];
  if (only.state === 'kept') return [text.kept, `${text.to} ${number}`];
  if (only.state === 'accepted') return [text.accepted, number];
  if (only.state === 'sent' || only.state === 'sending') return [text.waits, number];
  return [text[only.state], number];
}

/** Sends an invitation when the buyer presses Send, and shows the state of all invitations. */
export function Invitations(props: Props) {
  const { text, language, refunds, streetSource, step, inviting, onOpen } = props;
  const slice = useStore($invitations, { ssr: 'initial' });
  const { stage, invitations, drawings, refund, emailVerified } = slice;
  const token = sessionToken(useStore($signup, { keys: ['token', 'own'], ssr: 'initial' }));
  const newInvitation = useNewInvitation(text, onOpen);
  const { more, open, own, copyAgain, pending, status, refused, setStatus, run } = newInvitation;
  useEffect(() => {
    loadInvitations(token);
    return watchInvitations();
  }, [token]);

  // Outside the checklist the first invitation is asked for with a press, like any further one.
  const foldable = !step && stage === 'open' && invitations.length === 0;
  const wanted = (more && inviting !== false) || (invitations.length === 0 && !foldable);
  const isFormShown = stage === 'open' && wanted;
  // Whoever opened the message on this phone may have sent it; whoever copied the link has not.
  const waits = own && (!own.sms || own.qr_code) ? own.id : '';
  const unsent = invitations.find(({ id, state }) => id === waits && state === 'sent');
  const progress = invitationProgress(slice, isFormShown || !!unsent);
  useLayoutEffect(() => $invitationProgress.set(progress), [progress]);
  const only =
    step && !isFormShown && invitations.length === 1 && stage === 'open'
      ? invitations[0]
      : undefined;
  const [title, lead] = headingOf(text, only, !!unsent && unsent === only);
  usePageHeading(title, lead, only?.state === 'accepted');

  if (stage === 'hidden') return null;
  const yes = invitations.find(({ state }) => state === 'accepted');
  return (
    <section
      className={`stack gap-16 top ${step ? styles.step : 'card'}`}
      id="invitation"
      data-waits={stage === 'waiting' ? '' : undefined}
    >
      {step && yes && <YesPins id={yes.id} />}
      {step && yes ? (
        <h2 className="visually-hidden">{text.title}</h2>
      ) : (
        <InvitationsHeading
          title={step || invitations.length > 0 ? text.title : text.invite}
          step={step}
          done={invitations.some(isOut) && !isFormShown && text.done}
          onOpen={foldable && !isFormShown ? open : undefined}
          hidden={inviting === true}
        />
      )}
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
        <InvitationForm
          {...newInvitation}
          text={text}
          language={language}
          emailVerified={emailVerified}
        />
      )}
      <p className="status" role="status">
        {status}
      </p>
      {refused === 'email_unverified' && (
        <MailboxCodeForm text={text} language={language} why={text.long_how} isMailed={false} />
      )}
      {invitations.map((invitation) => (
        <InvitationCard
          key={invitation.id}
          text={text}
          language={language}
          invitation={invitation}
          drawing={drawings[invitation.id] ?? null}
          streetSource={streetSource}
          own={own}
          headed={invitation === only}
          onSend={() => run(() => postKept(invitation.id))}
          onCopy={copyAgain}
          onEnd={() => run(() => endInvitation(invitation.id))}
          onAgain={open}
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

const isOut = ({ state, via }: ShownInvitation) => state === 'sent' && via === 'sms';
