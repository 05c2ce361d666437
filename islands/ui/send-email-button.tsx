import { ContinueButton } from './continue-button.tsx';
import styles from './send-email-button.module.css';

type Props = {
  /** How the sending stands; once sent, the words take the button's place. */
  state: 'idle' | 'pending' | 'sent' | 'failed';
  text: { mail: string; mail_sent: string; email_failed: string };
  id?: string;
  /** Whether this is the one thing to do here. */
  main?: boolean;
  onSend: () => void;
};

/** Offers to mail a link, and says what became of it, in a box that keeps its height. */
export function SendEmailButton({ state, text, id = 'mail', main, onSend }: Props) {
  return (
    <div className={styles.offer}>
      {state === 'sent' ? null : (
        <ContinueButton
          id={id}
          label={text.mail}
          type="button"
          quiet={!main}
          pending={state === 'pending'}
          onClick={onSend}
        />
      )}
      <p className={styles.said} role="status">
        {state === 'sent' && text.mail_sent}
        {state === 'failed' && text.email_failed}
      </p>
    </div>
  );
}
