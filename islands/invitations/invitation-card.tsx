import { momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import { digitsOf } from '../../locales/format/plain-text.ts';
import type { IslandText } from '../../locales/index.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import type { AreaDrawing } from '../maps/area-drawing.ts';
import { SharedLocation } from '../maps/shared-location.tsx';
import { $map } from '../stores/map.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import styles from './invitations.module.css';
import { MailboxCodeForm } from './mailbox-code-form.tsx';
import type { OwnMessage, ShownInvitation } from './requester-store.ts';

type CardProps = {
  text: IslandText['invite-panel'];
  language: string;
  invitation: ShownInvitation;
  drawing: AreaDrawing | null;
  streetSource: StreetSource | null;
  own: OwnMessage | null;
  headed: boolean;
  onSend: () => void;
  onCopy: () => void;
  onEnd: () => void;
  onAgain: () => void;
};

/** The number, if this browser typed it; else its last digits. */
export function numberOf(text: CardProps['text'], { number_end }: ShownInvitation): string {
  const { phone } = $map.get();
  return digitsOf(phone).endsWith(number_end)
    ? `\u2066${phone}\u2069`
    : interpolate(text.number, { end: number_end });
}

function stateWords(text: CardProps['text'], invitation: ShownInvitation, language: string) {
  const { state, sends_at, answer_by } = invitation;
  const date = momentText(sends_at ?? answer_by, language);
  if (state === 'sending' && sends_at) return interpolate(text.sending_at, { date });
  if (state !== 'sent') return text[state];
  return interpolate(text.linked, { date });
}

type BoxProps = Pick<CardProps, 'text' | 'onCopy'> & { own: OwnMessage };

/** For a message that waits on this screen: the code for another phone's camera, or the ways to send it. */
function OwnMessageBox({ text, own, onCopy }: BoxProps) {
  return (
    <div className="stack gap-12">
      {own.qr_code && (
        <>
          <p className="note">{text.scan}</p>
          <QrCode picture={own.qr_code} label={text.qr} />
        </>
      )}
      <p className={`notice padded ${styles.link}`} dir="ltr">
        {own.link}
      </p>
      {!own.qr_code && own.sms && (
        <a className="link-filled" href={own.sms}>
          {text.open_message}
        </a>
      )}
      {!own.sms && 'share' in navigator && (
        <ContinueButton
          id="share"
          label={text.share}
          type="button"
          onClick={() =>
            navigator.share({ url: own.link }).catch(({ code }: DOMException) => {
              // Else the person closed the menu.
              if (code !== DOMException.ABORT_ERR) onCopy();
            })
          }
        />
      )}
      <SecondaryButton id="copy-again" label={text.copy_link} type="button" onClick={onCopy} />
    </div>
  );
}

function Confirmation({ text, language, invitation, onAgain }: CardProps) {
  const { state, answer_by, refusal } = invitation;
  if (state !== 'kept') {
    return refusal === 'email_unverified' ? (
      <MailboxCodeForm text={text} language={language} why={text.see_how} isMailed={false} />
    ) : null;
  }
  return (
    <>
      <MailboxCodeForm text={text} language={language} why={text.kept_how} isMailed />
      <p className="note">
        {interpolate(text.kept_until, { date: momentText(answer_by, language) })}
      </p>
      <button className="text-button" id="send-self" type="button" onClick={onAgain}>
        {text.own_phone}
      </button>
    </>
  );
}

export function InvitationCard(props: CardProps) {
  const { text, language, invitation, drawing, streetSource, own, headed } = props;
  const { onSend, onCopy, onEnd, onAgain } = props;
  const { id, state, refusal, name, delivery, position, until, reason } = invitation;
  const isUnseen = refusal === 'email_unverified';
  return (
    <article className={`stack gap-12 ${styles.card}`} data-state={state}>
      {!headed && <h3 className={`note ${styles.number}`}>{numberOf(text, invitation)}</h3>}
      <p
        className={headed && state !== 'sent' ? 'visually-hidden' : headed ? '' : 'title strong'}
        role="status"
      >
        {stateWords(text, invitation, language)}
      </p>
      <Confirmation {...props} />
      {reason && !isUnseen && <p>{reason}</p>}
      {refusal === 'written_elsewhere' && (
        <>
          <p className="note">
            {`${text.name}: `}
            <bdi>{name}</bdi>
          </p>
          <ContinueButton id={`send-${id}`} label={text.ours} type="button" onClick={onSend} />
        </>
      )}
      {state === 'sent' && own?.id === id && (
        <OwnMessageBox text={text} own={own} onCopy={onCopy} />
      )}
      {delivery && <p className="note">{text[`text_${delivery}`]}</p>}
      {position && (
        <SharedLocation
          text={text}
          language={language}
          position={position}
          drawing={drawing}
          source={streetSource}
          onAgain={onAgain}
        />
      )}
      {until && !isUnseen && (
        <p className="note">{interpolate(text.until, { date: momentText(until, language) })}</p>
      )}
      {state === 'not_shared' ? (
        <>
          <p>{text.not_shared_note}</p>
          <button className="text-button" id={`again-${id}`} type="button" onClick={onAgain}>
            {text.again}
          </button>
        </>
      ) : (
        <button className="text-button small soft" id={`end-${id}`} type="button" onClick={onEnd}>
          {state === 'kept' || state === 'not_sent' ? text.end_kept : text.end}
        </button>
      )}
    </article>
  );
}
