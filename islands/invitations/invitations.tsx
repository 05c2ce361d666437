import { useStore } from '@nanostores/react';
import { type ComponentProps, useEffect, useLayoutEffect } from 'react';
import { clockText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import { $invitationProgress } from '../stores/checklist.ts';
import { $signup, sessionToken } from '../stores/signup.ts';
import { QuietActions } from '../ui/quiet-actions.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { Tick } from '../ui/tick.tsx';
import { endText, InvitationCard, numberOf } from './invitation-card.tsx';
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
  type OwnMessage,
  postKept,
  type ShownInvitation,
  watchInvitations,
  withdrawInvitation,
} from './requester-store.ts';
import { useNewInvitation } from './use-new-invitation.ts';
import { usePageHeading } from './use-page-heading.ts';

interface Props {
  text: ComponentProps<typeof InvitationForm>['text'];
  language: string;
  /** Path of the refund policy; omitted where the purchase itself offers the refund. */
  refunds?: string;
  streetSource: StreetSource | null;
  /** Whether it is a step of the success page, whose title says what to do. */
  step?: boolean;
  /** Outside the checklist: whether the page shows only the invitations. */
  inviting?: boolean;
  /** When the visitor opens the form. */
  onOpen?: () => void;
}

type Shown = Pick<Props, 'text' | 'language'> & {
  only: ShownInvitation | undefined;
  own: OwnMessage | null;
  hasEnded: boolean;
};

/** The page's title and lead for its only invitation. */
function headingOf({ text, language, only, own, hasEnded }: Shown): [string, string] {
  if (!only) return ['', ''];
  const { state, sends_at } = only;
  const number = numberOf(text, only);
  const time = sends_at ? clockText(sends_at, language) : '';
  if (own && !own.isSent)
    return [own.sms ? text.send_message : text.send_link, `${text.to} ${number}`];
  if (state === 'kept')
    return [text.kept, interpolate(time ? text.kept_night : text.kept_waits, { number, time })];
  if (state === 'accepted') return [text.accepted, number];
  if (state === 'sending' && time)
    return [interpolate(text.goes_out, { time }), interpolate(text.night, { number })];
  if (state === 'sent') return [text.waits, number];
  if (state === 'sending') return [text.sending, number];
  return [endText(text, only, hasEnded), number];
}

/** Sends an invitation when the buyer presses Send, and shows the state of all invitations. */
export function Invitations(props: Props) {
  const { text, language, refunds, streetSource, step = false, inviting, onOpen } = props;
  const slice = useStore($invitations, { ssr: 'initial' });
  const { stage, invitations, drawings, refundUntil, everAccepted, emailVerified } = slice;
  const token = sessionToken(useStore($signup, { keys: ['token', 'own'], ssr: 'initial' }));
  const newInvitation = useNewInvitation(text, onOpen);
  const { more, open, own, copyAgain, markSent, pending, status, refused, setStatus, run } =
    newInvitation;
  useEffect(() => {
    loadInvitations(token);
    return watchInvitations();
  }, [token]);

  // Outside the checklist the first invitation is asked for with a press, like any further one.
  const foldable = !step && stage === 'open' && invitations.length === 0;
  const wanted = (more && inviting !== false) || (invitations.length === 0 && !foldable);
  const isFormShown = stage === 'open' && wanted;
  const unsent = invitations.find(({ id, state }) => id === own?.id && state === 'sent');
  const progress = invitationProgress(slice, isFormShown, !!unsent && !!own?.qr_code);
  useLayoutEffect(() => $invitationProgress.set(progress), [progress]);
  const only =
    step && !isFormShown && invitations.length === 1 && stage === 'open'
      ? invitations[0]
      : undefined;
  const shown = { text, language, only, own: unsent ? own : null, hasEnded: everAccepted };
  const [title, lead] = headingOf(shown);
  const state = only?.state ?? '';
  usePageHeading(title, lead, state, only?.id ?? '');
  // The picture's phone previews a message; it never shows one that was sent.
  useLayoutEffect(() => {
    document.querySelector('main')?.toggleAttribute('data-asked', stage === 'open' && !isFormShown);
  }, [stage, isFormShown]);
  // What was said about an earlier state is no longer true.
  const isSent = own?.isSent;
  useEffect(() => {
    if (state || isSent) setStatus('');
  }, [state, isSent, setStatus]);

  if (stage === 'hidden') return null;
  const refund = refunds && noInviteeAccepted(slice) && (
    <RefundOffer
      text={text}
      language={language}
      until={refundUntil}
      refundPolicy={refunds}
      pending={pending}
      onClaim={() => run(() => withdrawInvitation().then(() => setStatus(text.claimed)))}
    />
  );
  return (
    <section
      className={`stack gap-16 top ${step ? styles.step : 'card'}`}
      id="invitation"
      data-waits={stage === 'waiting' ? '' : undefined}
    >
      <InvitationsHeading
        title={(invitations.length > 0 && text.yours) || text.invite}
        onOpen={foldable && !isFormShown ? () => open(false) : undefined}
        hidden={inviting === true || step}
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
        <InvitationForm
          {...newInvitation}
          text={text}
          language={language}
          emailVerified={emailVerified}
        />
      )}
      <p className="status row gap-8" role="status" data-ok="">
        {text.mail_done && status === text.copied && <Tick />}
        {status}
      </p>
      {refused === 'email_unverified' && (
        <MailboxCodeForm text={text} language={language} why={text.long_how} />
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
          emailVerified={emailVerified}
          headed={invitation === only}
          hasEnded={everAccepted}
          refunds={refunds}
          onSend={() => run(() => postKept(invitation.id))}
          onCopy={copyAgain}
          onSent={markSent}
          onEnd={() => run(() => endInvitation(invitation.id))}
          onAgain={() => open(false)}
          onOther={() => open(true)}
        >
          {invitation === only && refund}
        </InvitationCard>
      ))}
      {!only && refund}
      {stage === 'open' && !isFormShown && !foldable && !only && (
        <QuietActions
          actions={[{ id: 'invite-another', label: text.another, onPress: () => open(true) }]}
        />
      )}
    </section>
  );
}
