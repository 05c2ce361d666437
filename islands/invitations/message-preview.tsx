import { momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import styles from '../invite-panel.module.css';
import { ContinueButton } from '../ui/continue-button.tsx';
import type { Message } from './requester-store.ts';

type Props = {
  text: IslandText['invite-panel'];
  language: string;
  message: Message;
  pending: boolean;
  onSend: () => void;
  onCopy: () => void;
  onChange: () => void;
};

/**
 * The exact message, sent as our SMS or shared as a link; only the link where no SMS can be sent.
 */
export function MessagePreview(props: Props) {
  const { text, language, message, pending, onSend, onCopy, onChange } = props;
  const { sends_at } = message;
  return (
    <div className="stack gap-8">
      {message.text && (
        <>
          <h3 className={styles.title}>{text.message}</h3>
          <blockquote
            className={`notice padded break ${styles.message}`}
            lang={message.language}
            dir="auto"
          >
            {message.text}
          </blockquote>
          <p className={`note ${styles.note}`}>
            {sends_at
              ? interpolate(text.later, { date: momentText(sends_at, language) })
              : text.now}
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
      <ContinueButton id="copy" label={text.copy} type="button" secondary onClick={onCopy} />
      <ContinueButton id="change" label={text.change} type="button" secondary onClick={onChange} />
    </div>
  );
}
