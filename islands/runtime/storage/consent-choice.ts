import type { Choice } from '../../../worker/visitor/rules/consent.ts';
import { $consent, chosenIn } from '../../stores/consent.ts';
import { call } from '../api.ts';
import { rehouse } from './migrate-storage.ts';
import { mayKeep } from './state-storage.ts';

/**
 * Reads what was chosen before, and asks where the law wants it and nothing was. What an earlier
 * choice allowed and nothing allows any more leaves storage.
 */
export function beginConsent(asks: boolean): void {
  if (!mayKeep()) rehouse();
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
