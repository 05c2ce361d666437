import { map } from 'nanostores';
import type { Choice } from '../../worker/visitor/rules/consent.ts';

interface ConsentState {
  /** Null before a choice. */
  choice: Choice | null;
  /** Whether the question is shown. */
  asking: boolean;
}

/** The choice in a cookie header; null for none. */
export function chosenIn(cookies: string): Choice | null {
  const found = /(?:^|; )consent=\d+\.(yes|no)/.exec(cookies)?.[1];
  return (found as Choice | undefined) ?? null;
}

export const $consent = map<ConsentState>({ choice: null, asking: false });
