import type { Choice } from '../../../worker/visitor/rules/consent.ts';
import { $consent, chosenIn } from '../../stores/consent.ts';
import { call } from '../api.ts';
import { migrateStorage } from './migrate-storage.ts';
import { storageAllowed } from './state-storage.ts';

/**
 * Reads what was chosen before, and asks where the law wants it and nothing was. What an earlier
 * choice allowed and nothing allows any more leaves storage.
 */
export function startConsent(asks: boolean): void {
  if (!storageAllowed()) migrateStorage();
  const choice = chosenIn(document.cookie);
  $consent.set({ choice, asking: asks && !choice });
}

/** Shows the question again, so that a choice can be changed. */
export function askAgain(): void {
  $consent.setKey('asking', true);
}

/** Carries out the visitor's choice. Until the server has it, nothing changes and the question stays. */
export async function saveChoice(choice: Choice): Promise<void> {
  await call('/consent', { body: { choice } });
  migrateStorage();
  $consent.set({ choice, asking: false });
}
