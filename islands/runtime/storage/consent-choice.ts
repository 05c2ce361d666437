import type { Choice } from '../../../worker/visitor/rules/consent.ts';
import { $consent, chosenIn } from '../../stores/consent.ts';
import { accountKey } from '../../stores/signup.ts';
import { call } from '../api.ts';
import { stopPrerendering } from '../navigation/prerender-page.ts';
import {
  eventsKey,
  memoryEntries,
  prefix,
  type StorageKind,
  sessionKey,
  sessionKeys,
  storageAllowed,
  writeItem,
} from './state-storage.ts';

/** The storage of a key; null for keys of other scripts. */
function kindOf(key: string): StorageKind | null {
  const short =
    key.startsWith(eventsKey) || [accountKey, ...sessionKeys.map(sessionKey)].includes(key);
  if (short) return 'sessionStorage';
  return key.startsWith(prefix) ? 'localStorage' : null;
}

const essential =
  /^(consent|userUuid|lng|(__Host-)?carry|g_state|__stripe_[ms]id|__paypal_storage__)$/;

function forgetCookie(name: string): void {
  const labels = location.hostname.split('.');
  const domains = labels.slice(0, -1).map((_, at) => `; Domain=${labels.slice(at).join('.')}`);
  for (const domain of ['', ...domains]) {
    document.cookie = `${name}=; Max-Age=0; Path=/${domain}`;
  }
}

function forgetEntries(kind: StorageKind): void {
  try {
    const storage = window[kind];
    for (const key of Object.keys(storage)) if (!essential.test(key)) storage.removeItem(key);
  } catch {}
}

function clearOthersStorage(): void {
  for (const cookie of document.cookie.split('; ')) {
    const [name = ''] = cookie.split('=', 1);
    if (name && !essential.test(name)) forgetCookie(name);
  }
  forgetEntries('localStorage');
  forgetEntries('sessionStorage');
}

type Entry = [key: string, value: string];

function takeEntries(kind: StorageKind): Entry[] {
  try {
    const storage = window[kind];
    const ours = Object.keys(storage).filter((key) => kindOf(key) === kind);
    return ours.map((key) => {
      const value = storage.getItem(key) ?? '';
      storage.removeItem(key);
      return [key, value];
    });
  } catch {
    return [];
  }
}

function migrateStorage(): void {
  const stored = [...takeEntries('localStorage'), ...takeEntries('sessionStorage')];
  if (!storageAllowed()) clearOthersStorage();
  for (const [key, value] of [...stored, ...memoryEntries()]) {
    writeItem(kindOf(key) ?? 'localStorage', key, value);
  }
}

/** For a reload. Stores no session secrets, because nothing deletes the history entry after a sign-out. */
function keepForReload(): void {
  if (storageAllowed()) return;
  const entries = memoryEntries().filter(([key]) => kindOf(key) === 'localStorage');
  history.replaceState({ ...history.state, kept: entries }, '');
}

export function startConsent(consentRequired: boolean): void {
  // At pagehide it is too late, and iPhones have no beforeunload.
  for (const type of ['beforeunload', 'focusout']) addEventListener(type, keepForReload);
  if (!storageAllowed()) migrateStorage();
  const choice = chosenIn(document.cookie);
  $consent.set({ choice, bannerOpen: consentRequired && !choice });
}

export function reopenBanner(): void {
  $consent.setKey('bannerOpen', true);
}

export async function saveChoice(choice: Choice): Promise<void> {
  await call('/consent', { body: { choice } });
  migrateStorage();
  stopPrerendering();
  $consent.set({ choice, bannerOpen: false });
}
