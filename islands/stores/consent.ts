import { map } from 'nanostores';
import type { Choice } from '../../worker/visitor/rules/consent.ts';

interface ConsentState {
  /** What was chosen; null before. */
  choice: Choice | null;
  /** Whether the question is on the screen. */
  asking: boolean;
}

/** The choice that the page's cookies tell; null before there is one. */
export function chosenIn(cookies: string): Choice | null {
  const found = /(?:^|; )consent=\d+\.(yes|no)/.exec(cookies)?.[1];
  return (found as Choice | undefined) ?? null;
}

export const $consent = map<ConsentState>({ choice: null, asking: false });
