import { useState } from 'react';

/** How the sending of something stands. */
export type RequestState = 'idle' | 'pending' | 'sent' | 'failed';

/** Sends once at a time, and tells how it stands. */
export function useRequestState(send: () => Promise<unknown>): [RequestState, () => Promise<void>] {
  const [state, setState] = useState<RequestState>('idle');
  const go = async () => {
    if (state === 'pending') return;
    setState('pending');
    setState(
      await send()
        .then(() => 'sent' as const)
        .catch(() => 'failed' as const),
    );
  };
  return [state, go];
}
