import type { Choice } from '../../../worker/visitor/rules/consent.ts';
import { $consent, chosenIn } from '../../stores/consent.ts';
import { call } from '../api.ts';
import { migrateStorage } from './migrate-storage.ts';
import { storageAllowed } from './state-storage.ts';

export function startConsent(asks: boolean): void {
  if (!storageAllowed()) migrateStorage();
  const choice = chosenIn(document.cookie);
  $consent.set({ choice, bannerOpen: asks && !choice });
}

export function askAgain(): void {
  $consent.setKey('bannerOpen', true);
}

export async function saveChoice(choice: Choice): Promise<void> {
  await call('/consent', { body: { choice } });
  migrateStorage();
  $consent.set({ choice, bannerOpen: false });
}
