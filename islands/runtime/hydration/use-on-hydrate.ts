import { type EffectCallback, useEffect, useRef } from 'react';

/** Runs once when the island has woken; what it returns runs when the island goes. */
export function useOnHydrate(wake: EffectCallback): void {
  const first = useRef(wake);
  useEffect(() => first.current(), []);
}
