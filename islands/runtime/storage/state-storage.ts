import { pageData } from '../hydration/page-data.ts';

export type Slice = Record<string, unknown> & { at?: number };

export type StorageKind = 'localStorage' | 'sessionStorage';

export const prefix = 'funnel:1:';
export const eventsKey = 'funnel:1:queue';
/** Events tracked before the queue's code was loaded. */
export const earlyEventsKey = 'funnel:1:queue.early';
/** The visitor's first screen, see `worker/experiments/rules/landing.ts`; never stored without permission. */
export const landingKey = 'funnel:1:landing';
const dayMs = 24 * 60 * 60 * 1000;
export const sessionKeys = [
  'token',
  'own',
  'btToken',
  'deeplinkToken',
  'deeplinkUrl',
  'deeplinkQR',
];
const neverStored = /Nonce$|^(cardholderName|paymentError)$/;

export const sessionKey = (field: string) => (field === 'token' ? 'access_token' : field);

const memory = new Map<string, string>();

export function storageAllowed(): boolean {
  const choice = /(?:^|; )consent=\d+\.(\w)/.exec(document.cookie)?.[1];
  return choice ? choice === 'y' : pageData().storage !== 'memory';
}

/** The session of somebody who signed up is stored whatever they chose about cookies: it ends with the tab. */
export function writeItem(kind: StorageKind, key: string, value: string): void {
  memory.set(key, value);
  try {
    const isVisit = kind === 'localStorage' || key.startsWith(eventsKey);
    if (isVisit && !storageAllowed()) return;
    window[kind][value ? 'setItem' : 'removeItem'](key, value);
    memory.delete(key);
  } catch {} // The browser stores nothing: the memory has it.
}

export function readItem(kind: StorageKind, key: string): string | null {
  try {
    return memory.get(key) ?? window[kind].getItem(key);
  } catch {
    return null;
  }
}

/** A stored slice; empty when missing or malformed. */
export function readSlice(name: string): Slice {
  let slice: Slice = {};
  try {
    slice = { ...JSON.parse(readItem('localStorage', prefix + name) ?? '{}') };
  } catch {}
  if (name === 'map' && slice.at && Date.now() - slice.at > dayMs) {
    slice = {};
    writeItem('localStorage', prefix + name, '{}');
  }
  if (name === 'signup') {
    for (const field of sessionKeys) {
      const value = readItem('sessionStorage', sessionKey(field));
      if (value) slice[field] = value;
    }
  }
  return slice;
}

/** Session secrets: sessionStorage. Payment secrets: nowhere. The rest: localStorage (the other phone number 24 h). */
export function writeSlice(name: string, slice: Slice): void {
  const stored: Slice = { at: Date.now() };
  for (const [field, value] of Object.entries(slice)) {
    if (sessionKeys.includes(field)) writeItem('sessionStorage', sessionKey(field), String(value));
    else if (!neverStored.test(field)) stored[field] = value;
  }
  writeItem('localStorage', prefix + name, JSON.stringify(stored));
}

/** All data that is only in memory. */
export const memoryEntries = (): [string, string][] => [...memory];

/** Sets entries that stay in memory, such as those of the previous document. */
export function writeMemory(entries: [string, string][]): void {
  for (const [key, value] of entries) memory.set(key, value);
}
