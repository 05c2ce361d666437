import { useState } from 'react';

export type RequestState = 'idle' | 'pending' | 'sent' | 'failed';

export function useRequestState(send: () => Promise<unknown>): [RequestState, () => Promise<void>] {
  const [state, setState] = useState<RequestState>('idle');
  const go = async () => {
    if (state === 'pending') return;
    setState('pending');
    setState(
      await send()
        .then(() => 'sent' as const)
        .catch(() => 'failed' as const), // The caller shows it.
    );
  };
  return [state, go];
}
