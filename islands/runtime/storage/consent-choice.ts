import type { Choice } from '../../../worker/visitor/rules/consent.ts';
import { $consent, chosenIn } from '../../stores/consent.ts';
import { call } from '../api.ts';
import { migrateStorage } from './migrate-storage.ts';
import { storageAllowed } from './state-storage.ts';

/**
 * Reads the stored choice, and asks when the law requires one. State that an expired consent
 * allowed leaves storage.
 */
export function startConsent(asks: boolean): void {
  if (!storageAllowed()) migrateStorage();
  const choice = chosenIn(document.cookie);
  $consent.set({ choice, asking: asks && !choice });
}

/** Reopens the question. */
export function askAgain(): void {
  $consent.setKey('asking', true);
}

/** Saves the choice. Nothing changes until the server has it. */
export async function saveChoice(choice: Choice): Promise<void> {
  await call('/consent', { body: { choice } });
  migrateStorage();
  $consent.set({ choice, asking: false });
}
