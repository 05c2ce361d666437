import { type EffectCallback, useEffect, useRef } from 'react';

/** Runs once after hydration; the returned function runs on unmount. */
export function useOnHydrate(effect: EffectCallback): void {
  const first = useRef(effect);
  useEffect(() => first.current(), []);
}
