import type { IslandText } from '../../locales/index.ts';
import { ContinueButton, ContinueLink } from '../ui/continue-button.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import styles from './invitations.module.css';
import type { OwnMessage } from './requester-store.ts';

interface OwnMessageBoxProps {
  text: IslandText['invite-panel'];
  own: OwnMessage;
  onCopy: () => void;
  onSent: () => void;
}

/** The ways to send a message that only this page has: to another phone's camera, from this phone, or as a link. */
export function OwnMessageBox({ text, own, onCopy, onSent }: OwnMessageBoxProps) {
  const copy = (
    <SecondaryButton id="copy-again" label={text.copy_link} type="button" onClick={onCopy} />
  );
  if (own.qr_code) {
    return (
      <div className={`stack gap-16 ${styles.outlined}`}>
        <p>{text.scan}</p>
        <QrCode picture={own.qr_code} label={text.qr} />
        {copy}
      </div>
    );
  }
  if (own.sms) {
    return (
      <>
        {!own.isSent && <p>{text.own_ready}</p>}
        <div className={`stack gap-8 ${styles.outlined}`}>
          <ContinueLink id="open-message" label={text.open_message} href={own.sms} />
          {copy}
        </div>
      </>
    );
  }
  const canShare = 'share' in navigator;
  const CopyButton = canShare ? SecondaryButton : ContinueButton;
  return (
    <div className={`stack gap-8 ${canShare ? styles.outlined : ''}`}>
      <p className={`notice padded ${styles.link}`} dir="ltr">
        {own.link}
      </p>
      {canShare && (
        <ContinueButton
          id="share"
          label={text.share}
          type="button"
          onClick={() =>
            navigator.share({ url: own.link }).then(onSent, ({ code }: DOMException) => {
              // Else the person closed the menu.
              if (code !== DOMException.ABORT_ERR) onCopy();
            })
          }
        />
      )}
      <CopyButton id="copy-again" label={text.copy_link} type="button" onClick={onCopy} />
    </div>
  );
}
