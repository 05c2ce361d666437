import { type EffectCallback, useEffect, useRef } from 'react';

export function useOnHydrate(effect: EffectCallback): void {
  const first = useRef(effect);
  useEffect(() => first.current(), []);
}
