import { useEffect, useRef } from 'react';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';

export function useTakeover(provider: GatewayName | null, start: () => void): void {
  const shown = useRef(provider);
  useEffect(() => {
    if (shown.current === provider) return;
    shown.current = provider;
    start();
  });
}
