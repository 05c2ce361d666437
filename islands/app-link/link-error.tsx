import { ContinueButton } from '../ui/continue-button.tsx';
import { ContinueLink } from '../ui/continue-link.tsx';
import { SendEmailButton } from '../ui/send-email-button.tsx';

type Props = {
  text: { mail: string; mail_sent: string; email_failed: string; retry: string; back: string };
  said: string;
  mail?: { state: 'idle' | 'pending' | 'sent' | 'failed'; onSend: () => void } | false;
  onRetry?: (() => void) | false;
  back?: string | false;
};

export function LinkError({ text, said, mail, onRetry, back }: Props) {
  return (
    <>
      <p role="status">{said}</p>
      {mail && <SendEmailButton main id="continue-button" text={text} {...mail} />}
      {onRetry && <ContinueButton label={text.retry} type="button" onClick={onRetry} />}
      {back && <ContinueLink label={text.back} href={back} />}
    </>
  );
}
