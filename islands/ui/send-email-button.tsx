import { ContinueButton } from './continue-button.tsx';
import { SecondaryButton } from './secondary-button.tsx';
import styles from './send-email-button.module.css';

type Props = {
  /** Once `sent`, a sentence replaces the button. */
  state: 'idle' | 'pending' | 'sent' | 'failed';
  text: { mail: string; mail_sent: string; email_failed: string };
  id?: string;
  /** Whether this is the page's main action. */
  main?: boolean;
  onSend: () => void;
};

export function SendEmailButton({ state, text, id = 'mail', main, onSend }: Props) {
  const Button = main ? ContinueButton : SecondaryButton;
  return (
    <div className={`stack top ${styles.offer}`}>
      {state === 'sent' ? null : (
        <Button
          id={id}
          label={text.mail}
          type="button"
          pending={state === 'pending'}
          onClick={onSend}
        />
      )}
      <p className={`note ${styles.said}`} role="status">
        {state === 'sent' && text.mail_sent}
        {state === 'failed' && text.email_failed}
      </p>
    </div>
  );
}
