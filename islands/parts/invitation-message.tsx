import type { IslandText } from '../../locales/index.ts';
import type { Message } from '../stores/invitations.ts';
import { ContinueButton } from './continue-button.tsx';
import { fill } from './fill.ts';
import styles from './invitation-message.module.css';
import { momentText } from './when.ts';

type Props = {
  text: IslandText['invitation'];
  /** BCP 47. */
  language: string;
  message: Message;
  pending: boolean;
  onSend: () => void;
  onCopy: () => void;
  onChange: () => void;
};

/**
 * The exact message, and what sends it: our text, or a link for the requester's own messenger; the
 * link alone where no text can be sent.
 */
export function InvitationMessage(props: Props) {
  const { text, language, message, pending, onSend, onCopy, onChange } = props;
  const { sends_at } = message;
  return (
    <div className={styles.step}>
      {message.text && (
        <>
          <h3 className={styles.title}>{text.message}</h3>
          <blockquote className={styles.message} lang={message.language} dir="auto">
            {message.text}
          </blockquote>
          <p className={styles.note}>
            {sends_at ? fill(text.later, { date: momentText(sends_at, language) }) : text.now}
          </p>
          <ContinueButton
            id="send"
            label={text.send}
            type="button"
            pending={pending}
            onClick={onSend}
          />
        </>
      )}
      <ContinueButton id="copy" label={text.copy} type="button" quiet onClick={onCopy} />
      <ContinueButton id="change" label={text.change} type="button" quiet onClick={onChange} />
    </div>
  );
}
