import type { ReactNode } from 'react';
import { clockText, momentText, stampText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import { digitsOf } from '../../locales/format/plain-text.ts';
import type { IslandText } from '../../locales/index.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import type { AreaDrawing } from '../maps/area-drawing.ts';
import { SharedLocation } from '../maps/shared-location.tsx';
import { $map } from '../stores/map.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { type Action, QuietActions } from '../ui/quiet-actions.tsx';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import { Tick } from '../ui/tick.tsx';
import styles from './invitations.module.css';
import { MailboxCodeForm } from './mailbox-code-form.tsx';
import { OwnMessageBox } from './own-message-box.tsx';
import type { OwnMessage, ShownInvitation } from './requester-store.ts';

type CardProps = {
  text: IslandText['invite-panel'];
  language: string;
  invitation: ShownInvitation;
  drawing: AreaDrawing | null;
  streetSource: StreetSource | null;
  own: OwnMessage | null;
  /** Whether the page's title already says the state. */
  headed: boolean;
  /** Whether somebody is known to have agreed; then this one has ended. */
  hasEnded: boolean;
  refunds?: string | undefined;
  emailVerified: boolean;
  onSend: () => void;
  onCopy: () => void;
  onSent: () => void;
  onEnd: () => void;
  onAgain: () => void;
  /** Asks somebody else. */
  onOther: () => void;
  /** The refund, where it is due. */
  children?: ReactNode;
};

/** Whoever has just agreed is not asked again at once. */
const againAfterMs = 60 * 60_000;

/** The number, if this browser typed it; else its last digits. */
export function numberOf(text: CardProps['text'], { number_end }: ShownInvitation): string {
  const { phone } = $map.get();
  return digitsOf(phone).endsWith(number_end)
    ? // On one line.
      `\u2066${phone.replaceAll(' ', '\u00a0')}\u2069`
    : interpolate(text.number, { end: number_end });
}

/** How it ended, as far as the requester knows. */
export function endText(
  text: CardProps['text'],
  { state, ended_by }: ShownInvitation,
  hasEnded: boolean,
): string {
  if (ended_by === 'requester') return text.ended_requester || text.not_shared;
  if (ended_by) return text[`ended_${ended_by}`] || text.ended;
  if (state === 'not_sent') return text.not_sent;
  return hasEnded ? text.ended : text.not_shared;
}

function stateWords(
  text: CardProps['text'],
  { state, sends_at }: ShownInvitation,
  language: string,
) {
  if (state === 'sending' && sends_at)
    return interpolate(text.goes_out || text.sending, { time: clockText(sends_at, language) });
  return state === 'sent' ? text.waits : text[state];
}

/** What else can be done, the way out last. */
function actionsOf(props: CardProps): (Action | false)[] {
  const { text, invitation, headed, onEnd, onAgain, onOther } = props;
  const { id, state, refusal, position } = invitation;
  const unsent = state === 'kept' || state === 'not_sent';
  const end = unsent ? text.end_kept : state === 'accepted' ? text.end_seen : text.end;
  const isWaiting = state === 'kept' || refusal === 'email_unverified';
  const isOld = position !== null && Date.now() - position.at > againAfterMs;
  const isOver = state === 'not_shared';
  return [
    state === 'kept' && { id: 'send-self', label: text.own_phone, onPress: onAgain },
    isOld && { id: 'ask-again', label: text.again, onPress: onAgain },
    headed &&
      !isWaiting &&
      !isOver && { id: 'invite-another', label: text.another, onPress: onOther },
    !isOver && { id: `end-${id}`, label: end, onPress: onEnd, isEnd: true },
  ];
}

/** When it was created or goes out, and until when they can answer. */
function Times({
  text,
  language,
  invitation,
}: Pick<CardProps, 'text' | 'language' | 'invitation'>) {
  const { sends_at, requested_at, answer_by, ended_by } = invitation;
  const first = [sends_at ? text.goes : text.created, sends_at ?? requested_at] as const;
  const times = ended_by ? [first] : [first, [text.by, answer_by] as const];
  return (
    <dl className="stack gap-8 small">
      {times.map(([label, at]) => (
        <div key={label} className="beside spread gap-12">
          <dt className="soft">{label}</dt>
          <dd>{stampText(at, language)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a waiting invitation waits for. */
function Outlook({ text, language, invitation, headed, emailVerified }: CardProps) {
  const { state, delivery } = invitation;
  if (state !== 'sent' && state !== 'sending') return null;
  return (
    <>
      {headed && invitation.sends_at && (
        <p className="row gap-8" data-ok="">
          <Tick />
          {text.mail_done}
        </p>
      )}
      <Times {...{ text, language, invitation }} />
      {delivery && <p>{text[`text_${delivery}`]}</p>}
      {headed && <p className="note">{emailVerified ? text.leave : text.leave_first}</p>}
      {headed && !emailVerified && (
        <details>
          <summary className={`text-button row gap-8 chevron ${styles.more}`}>
            {text.answer_mail}
          </summary>
          <MailboxCodeForm text={text} language={language} why={text.answer_how} />
        </details>
      )}
    </>
  );
}

/** After the end: the same person once a time is over, else another one. A refund stands before it. */
function Over({
  text,
  language,
  invitation,
  headed,
  refunds,
  onAgain,
  onOther,
  children,
}: CardProps) {
  const { ended_by: by } = invitation;
  const Button = children ? SecondaryButton : ContinueButton;
  const isAgain = by === 'time';
  return (
    <>
      {children}
      {headed && by !== null && (
        <>
          {by !== 'requester' && <p>{`${text.gone} ${text.agreed}`}</p>}
          <p>
            <a href={refunds}>{text.back_link}</a>
          </p>
        </>
      )}
      {headed && (
        <div className={children ? styles.outlined : undefined}>
          <Button
            id={isAgain ? 'ask-again' : 'invite-another'}
            label={isAgain ? text.again : text.another}
            type="button"
            onClick={isAgain ? onAgain : onOther}
          />
        </div>
      )}
      {!headed && <Times {...{ text, language, invitation }} />}
      {by === null && <p className="note">{text.not_shared_note}</p>}
    </>
  );
}

function Location(props: CardProps) {
  const { text, language, invitation, drawing, streetSource } = props;
  const { position, until } = invitation;
  return (
    <>
      {position && (
        <SharedLocation
          text={text}
          language={language}
          position={position}
          drawing={drawing}
          source={streetSource}
          isOwn
        />
      )}
      {until && (
        <p className="note">
          {interpolate(text.until, { date: momentText(until, language) })} {text.one_way}
        </p>
      )}
    </>
  );
}

export function InvitationCard(props: CardProps) {
  const { text, language, invitation, headed, hasEnded, own, onSend } = props;
  const { id, state, refusal, name, answer_by, sends_at, until, reason } = invitation;
  const isUnseen = refusal === 'email_unverified';
  const ownMessage = state === 'sent' && own?.id === id ? own : null;
  const end = endText(text, invitation, headed && hasEnded);
  const words = state === 'not_shared' ? end : stateWords(text, invitation, language);
  const actions = actionsOf(props);
  let body: ReactNode = null;
  if (state === 'kept') {
    const date = momentText(answer_by, language);
    body = (
      <MailboxCodeForm
        {...{ text, language, actions }}
        confirm={sends_at ? '' : text.confirm_send}
        note={interpolate(text.kept_until, { date })}
        isMailed
      />
    );
  } else if (isUnseen) {
    body = (
      <MailboxCodeForm
        {...{ text, language, actions }}
        why={text.see_how}
        then={text.see_then}
        note={until ? interpolate(text.until, { date: momentText(until, language) }) : ''}
      />
    );
  }
  return (
    <article className={`stack gap-16 ${styles.card}`} data-state={state}>
      {!headed && <h3 className={`note ${styles.plain}`}>{numberOf(text, invitation)}</h3>}
      <p className={headed ? 'visually-hidden' : 'title strong'} role="status">
        {words}
      </p>
      {body ?? (
        <>
          {ownMessage && <OwnMessageBox {...props} own={ownMessage} />}
          <Outlook {...props} />
          {reason && <p>{reason}</p>}
          {refusal === 'written_elsewhere' && (
            <>
              <p className="note">
                {`${text.name}: `}
                <bdi>{name}</bdi>
              </p>
              <ContinueButton id={`send-${id}`} label={text.ours} type="button" onClick={onSend} />
            </>
          )}
          <Location {...props} />
          {state === 'not_shared' ? <Over {...props} /> : props.children}
          <QuietActions actions={actions} />
        </>
      )}
    </article>
  );
}
