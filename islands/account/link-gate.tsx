import type { CodeCheck } from '../../worker/accounts/check-code.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { ContinueAs } from './continue-as.tsx';
import { RequestSignInLink, type RequestText } from './request-sign-in-link.tsx';

/** An e-mailed link that was inspected, with its code. */
export type InspectedLink = CodeCheck & { code: string };

export type GateState = 'confirming' | 'failed' | 'signed_out';

export const isGate = (state: string): state is GateState =>
  state === 'confirming' || state === 'failed' || state === 'signed_out';

interface Props {
  state: GateState;
  text: RequestText &
    Record<'continue_as' | 'continue' | 'signed_in_as' | 'not_me' | 'retry' | 'signed_out', string>;
  failed: string;
  message: string;
  link: InspectedLink | null;
  /** The page that a new link opens. */
  purpose: 'manage' | 'cancel';
  onContinue: (code: string) => void;
  onRetry: () => void;
}

/** In place of a page that only its account's owner may see: a question, a failure, or the request for a link. */
export function LinkGate(props: Props) {
  const { state, text, failed, message, link, purpose, onContinue, onRetry } = props;
  return (
    <div className="stack gap-16">
      {state === 'confirming' && link && (
        <ContinueAs
          text={text}
          email={link.email ?? ''}
          signedInAs={link.signed_in_as}
          onContinue={() => onContinue(link.code)}
          restartHref="/"
        />
      )}
      {state === 'failed' && <RetryNotice message={failed} retry={text.retry} onRetry={onRetry} />}
      {state === 'signed_out' && (
        <>
          {message && <p role="alert">{message}</p>}
          <RequestSignInLink text={text} hint={text.signed_out} purpose={purpose} />
        </>
      )}
    </div>
  );
}
