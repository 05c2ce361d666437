import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import { requestSignInLink } from '../account/sign-in-link.ts';
import { looksLikePhone } from '../phone/dialled-digits.ts';
import { chooseLink, setPhone } from '../phone/entered-phone.ts';
import { errorCode, messageOf } from '../runtime/api.ts';
import { durationFor } from '../stores/answers.ts';
import { $invitationProgress } from '../stores/checklist.ts';
import { setError } from '../stores/error.ts';
import { $map } from '../stores/map.ts';
import { $signup, sessionToken } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { copyAsync } from '../ui/copy-async.ts';
import { SendEmailButton } from '../ui/send-email-button.tsx';
import { useRequestState } from '../ui/use-request-state.ts';
import { type FormErrors, InvitationForm, MessagePreview } from './invitation-form.tsx';
import { InvitationCard, RefundOffer } from './invitation-list.tsx';
import styles from './invitations.module.css';
import { InvitationsHeading } from './invitations-heading.tsx';
import {
  $invitations,
  endInvitation,
  type InvitationRequest,
  invitationProgress,
  isLinkPossible,
  linkFor,
  loadInvitations,
  type Message,
  messageFor,
  noInviteeAccepted,
  sendInvitation,
  sendKept,
  watchInvitations,
  withdrawInvitation,
} from './requester-store.ts';

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

const nothing: InvitationRequest = { phone: '', country: undefined, name: '', duration: '' };
/** The name from sign-up, if it is not an e-mail address and is short enough. */
const signupName = () => (/^[^@]{1,20}$/.exec($signup.get().name) ?? [''])[0];

/** Sends an invitation when the buyer presses Send, and shows the state of all invitations. */
export function Invitations({
  text,
  language,
  refunds,
  streetSource,
  step,
  inviting,
  onOpen,
}: Props) {
  const slice = useStore($invitations, { ssr: 'initial' });
  const { stage, invitations, drawings, refund, emailVerified } = slice;
  const token = sessionToken(useStore($signup, { keys: ['token', 'own'], ssr: 'initial' }));
  const stored = useStore($map, { keys: ['phone', 'country', 'byLink'], ssr: 'initial' });
  const { phone: storedPhone, country } = stored;
  const [request, setRequest] = useState<InvitationRequest>(nothing);
  const [other, setOther] = useState(false);
  const byLink = stored.byLink && !other;
  const [more, setMore] = useState(false);
  const [message, setMessage] = useState<Message | null>(null);
  const [errors, setErrors] = useState<FormErrors>({});
  const [pending, setPending] = useState(false);
  const [status, setStatus] = useState('');
  const [refused, setRefused] = useState('');
  const [link, setLink] = useState('');
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

  const run = async (work: () => Promise<unknown>) => {
    if (pending) return;
    setPending(true);
    setStatus('');
    setRefused('');
    await work().catch((error) => {
      // Signing out hides this panel; the page asks for the e-mail again.
      if (errorCode(error) === 'unauthorized') setError(messageOf(error) ?? text.refused);
      if (isLinkPossible(error)) {
        chooseLink();
        setMessage(null);
      }
      setStatus(messageOf(error) ?? text.refused);
      setRefused(errorCode(error) ?? '');
    });
    setPending(false);
  };
  const submit = (fields: FormData) => {
    const field = (name: string) => String(fields.get(name) ?? '').trim();
    const [name, duration] = [field('name'), field('duration')];
    const phone = fields.has('phone') ? field('phone') : storedPhone;
    const wrong: FormErrors = {
      ...(looksLikePhone(phone) ? {} : { phone: text.phone_wrong }),
      ...(name ? {} : { name: text.name_missing }),
      ...(duration ? {} : { duration: text.long_missing }),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    const isStored = phone === storedPhone;
    const next = { phone, name, duration, country: (isStored && country) || undefined };
    setRequest(next);
    if (!isStored) setPhone(phone, '');
    setOther(false);
    if (byLink) return copy(next);
    run(async () => setMessage(await messageFor(next)));
  };
  const open = () => {
    setMore(true);
    onOpen?.();
    setStatus('');
    setRefused('');
  };
  const close = () => {
    setMessage(null);
    setMore(false);
  };
  const send = () =>
    run(async () => {
      await sendInvitation(request);
      close();
    });
  const copy = (wanted: InvitationRequest) =>
    run(async () => {
      const made = linkFor(wanted);
      const copied = copyAsync(made).then(
        () => text.copied,
        () => text.not_copied,
      );
      const [copiedLink, words] = await Promise.all([made, copied]);
      await loadInvitations();
      // One update, so that nothing moves twice.
      setLink(copiedLink);
      setStatus(words);
      close();
    });

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
      {isFormShown && step && (
        <p className={`soft ${styles.lead}`}>{byLink ? text.lead_link : text.lead}</p>
      )}
      {stage === 'waiting' && <p role="status">{text.waiting}</p>}
      {stage === 'failed' && (
        <>
          <p role="alert">{text.failed}</p>
          <ContinueButton
            id="retry"
            label={text.retry}
            type="button"
            onClick={() => loadInvitations()}
          />
        </>
      )}
      {isFormShown && message && (
        <MessagePreview
          text={text}
          language={language}
          message={message}
          emailVerified={emailVerified}
          pending={pending}
          onSend={send}
          onCopy={() => copy(request)}
          onChange={() => setMessage(null)}
        />
      )}
      {isFormShown && !message && (
        <InvitationForm
          text={text}
          phone={other ? null : storedPhone || null}
          byLink={byLink}
          name={request.name || signupName()}
          duration={request.duration || (durationFor() ?? '')}
          errors={errors}
          pending={pending}
          onOtherNumber={() => setOther(true)}
          onSubmit={submit}
        />
      )}
      <p className="status" role="status">
        {status}
      </p>
      {link && (
        <p className={`notice padded break ${styles.link}`} dir="ltr">
          {link}
        </p>
      )}
      {refused === 'email_unverified' && (
        <SendEmailButton id="verify" main state={mailing} text={text} onSend={mail} />
      )}
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
          onSend={() => run(() => sendKept(invitation.id))}
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

const isOut = ({ state }: { state: string }) =>
  state === 'sending' || state === 'sent' || state === 'accepted';
