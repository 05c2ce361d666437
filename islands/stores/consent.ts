import { map } from 'nanostores';
import type { Choice } from '../../worker/funnel/consent.ts';
import { call } from '../runtime/api.ts';
import { rehouse } from '../runtime/rehouse.ts';

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

/** Reads what was chosen before, and asks where the law wants it and nothing was. */
export function beginConsent(asks: boolean): void {
  const choice = chosenIn(document.cookie);
  $consent.set({ choice, asking: asks && !choice });
}

/** Shows the question again, so that a choice can be changed. */
export function askAgain(): void {
  $consent.setKey('asking', true);
}

/** Carries out the visitor's choice. Until the server has it, nothing changes and the question stays. */
export async function choose(choice: Choice): Promise<void> {
  await call('/consent', { body: { choice } });
  rehouse();
  $consent.set({ choice, asking: false });
}
