import { ContinueButton } from '../ui/continue-button.tsx';
import { SendEmailButton } from '../ui/send-email-button.tsx';

type Props = {
  text: { mail: string; mail_sent: string; email_failed: string; retry: string };
  message: string;
  emailButton?: { state: 'idle' | 'pending' | 'sent' | 'failed'; onSend: () => void } | false;
  onRetry?: (() => void) | false;
};

export function LinkError({ text, message, emailButton, onRetry }: Props) {
  return (
    <>
      <p className="notice" role="status">
        {message}
      </p>
      {emailButton && <SendEmailButton main id="continue-button" text={text} {...emailButton} />}
      {onRetry && <ContinueButton label={text.retry} type="button" onClick={onRetry} />}
    </>
  );
}
