import { useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import { errorCode } from '../runtime/api.ts';
import { refusalMessage } from '../runtime/refusal-message.ts';
import { setError } from '../stores/error.ts';

/** Runs one piece of work at a time, and says why it was refused. */
export function useInvitationWork(text: IslandText['invite-panel']) {
  const [pending, setPending] = useState(false);
  const [status, setStatus] = useState('');
  /** The code of the refusal. */
  const [refused, setRefused] = useState('');
  const clear = () => {
    setStatus('');
    setRefused('');
  };
  const run = async (work: () => Promise<unknown>) => {
    if (pending) return;
    setPending(true);
    clear();
    await work().catch((error) => {
      // Signing out hides this panel; the page asks for the e-mail again.
      if (errorCode(error) === 'unauthorized') setError(refusalMessage(error) ?? text.refused);
      setStatus(refusalMessage(error) ?? text.refused);
      setRefused(errorCode(error) ?? '');
    });
    setPending(false);
  };
  return { pending, status, refused, setStatus, clear, run };
}
