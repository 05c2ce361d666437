import { ContinueButton } from '../ui/continue-button.tsx';
import { ContinueLink } from '../ui/continue-link.tsx';
import { SendEmailButton } from '../ui/send-email-button.tsx';

type Props = {
  text: { mail: string; mail_sent: string; email_failed: string; retry: string; back: string };
  /** Why the link does not open what it was for. */
  said: string;
  /** Where another link can be mailed: how the sending stands, and what sends it. */
  mail?: { state: 'idle' | 'pending' | 'sent' | 'failed'; onSend: () => void } | false;
  /** Where it may work at the next try. */
  onRetry?: (() => void) | false;
  /** Where only another way is left: our own path. */
  back?: string | false;
};

/** A link that does not work: why, and the one way on. */
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
