import { momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { StreetSource } from '../../worker/rendering/page-types.ts';
import type { AreaDrawing } from '../maps/area-drawing.ts';
import { SharedLocation } from '../maps/shared-location.tsx';
import { $signup } from '../stores/signup.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { SendEmailButton } from '../ui/send-email-button.tsx';
import type { RequestState } from '../ui/use-request-state.ts';
import styles from './invitations.module.css';
import type { ShownInvitation } from './requester-store.ts';

type CardProps = {
  text: IslandText['invite-panel'];
  language: string;
  invitation: ShownInvitation;
  drawing: AreaDrawing | null;
  streetSource: StreetSource | null;
  /** State of the request for a new link that confirms the e-mail. */
  mailing: RequestState;
  onMail: () => void;
  onSend: () => void;
  onEnd: () => void;
};

function stateWords(text: CardProps['text'], invitation: ShownInvitation, language: string) {
  const { state, via, sends_at, answer_by } = invitation;
  if (state === 'sending' && sends_at) {
    return interpolate(text.sending_at, { date: momentText(sends_at, language) });
  }
  if (state !== 'sent') return text[state];
  return interpolate(via === 'link' ? text.linked : text.sent, {
    date: momentText(answer_by, language),
  });
}

/** An invitation is sent once the requester's e-mail is confirmed. */
function WaitsForEmail({ text, language, invitation, mailing, onMail }: CardProps) {
  return (
    <>
      <p className="break">
        {interpolate(text.kept_how, {
          // Isolated left to right between Arabic words.
          email: `\u2066${$signup.get().email}\u2069`,
          date: momentText(invitation.answer_by, language),
        })}
      </p>
      <div className={styles.mail}>
        <SendEmailButton
          id="verify"
          state={mailing}
          text={{ ...text, mail: text.kept_mail }}
          onSend={onMail}
        />
      </div>
    </>
  );
}

export function InvitationCard(props: CardProps) {
  const { text, language, invitation, drawing, streetSource, onSend, onEnd } = props;
  const { id, state, refusal, name, delivery, number_end, position, until, reason } = invitation;
  return (
    <article className={`stack gap-8 ${styles.card}`} data-state={state}>
      <h3 className={`note ${styles.number}`}>{interpolate(text.number, { end: number_end })}</h3>
      <p className={`strong ${state === 'accepted' ? 'title' : styles.state}`} role="status">
        {stateWords(text, invitation, language)}
      </p>
      {state === 'kept' && <WaitsForEmail {...props} />}
      {reason && <p>{reason}</p>}
      {refusal === 'written_elsewhere' && (
        <>
          <p className="note">
            {`${text.name}: `}
            <bdi>{name}</bdi>
          </p>
          <ContinueButton id={`send-${id}`} label={text.send} type="button" onClick={onSend} />
        </>
      )}
      {delivery && <p className="note">{text[`text_${delivery}`]}</p>}
      {position && (
        <SharedLocation
          text={text}
          language={language}
          position={position}
          drawing={drawing}
          streets={{ text, source: streetSource }}
        />
      )}
      {until && <p>{interpolate(text.until, { date: momentText(until, language) })}</p>}
      {state === 'not_shared' ? (
        <p className="note">{text.not_shared_note}</p>
      ) : (
        <button className="text-button" id={`end-${id}`} type="button" onClick={onEnd}>
          {state === 'kept' || state === 'not_sent' ? text.end_kept : text.end}
        </button>
      )}
    </article>
  );
}

type RefundProps = {
  text: IslandText['invite-panel'];
  /** Whether the refund can be claimed here; otherwise the text explains how. */
  claimable: boolean;
  refundPolicy: string;
  pending: boolean;
  onClaim: () => void;
};

export function RefundOffer({ text, claimable, refundPolicy, pending, onClaim }: RefundProps) {
  if (!claimable) {
    return (
      <p>
        {text.back_terms} <a href={refundPolicy}>{text.back_link}</a>
      </p>
    );
  }
  return (
    <>
      <p>{text.back}</p>
      <ContinueButton
        id="claim-refund"
        label={text.back_button}
        type="button"
        pending={pending}
        onClick={onClaim}
      />
    </>
  );
}
