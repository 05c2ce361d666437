import { pageData } from '../hydration/page-data.ts';

/** One slice of state: its persisted fields, and when it was written. */
export type Slice = Record<string, unknown> & { at?: number };

/** Where a value is kept: across visits, or for this tab's session. */
export type Kind = 'localStorage' | 'sessionStorage';

const prefix = 'funnel:1:';
/** Events on their way, which a closed tab has sent; no slice has this name. */
export const eventsKey = 'funnel:1:queue';
const day = 24 * 60 * 60 * 1000;
const session = ['token', 'btToken', 'deeplinkToken', 'deeplinkUrl', 'deeplinkQR'];
const nowhere = /^(stripeNonce|braintreeNonce|cardholderName|paymentError)$/;

/** The session's key of a field of `signup`. */
const sessionKey = (field: string) => (field === 'token' ? 'access_token' : field);

/** Where one of our keys belongs; null for a key that is none of ours. */
export function kindOf(key: string): Kind | null {
  const short = key === eventsKey || session.some((field) => sessionKey(field) === key);
  if (short) return 'sessionStorage';
  return key.startsWith(prefix) ? 'localStorage' : null;
}

/** What storage does not take: it is blocked, full, or consent to it is missing. */
const memory = new Map<string, string>();

/** Whether storage may be used: as the visitor chose, else as their country's law has it. */
export function storageAllowed(): boolean {
  const choice = /(?:^|; )consent=\d+\.(\w)/.exec(document.cookie)?.[1];
  return choice ? choice === 'y' : pageData().storage !== 'memory';
}

/** Keeps a value where it may be kept, in memory else. */
export function writeItem(kind: Kind, key: string, value: string): void {
  memory.set(key, value);
  try {
    if (!storageAllowed()) return;
    window[kind].setItem(key, value);
    memory.delete(key);
  } catch {}
}

/** What `put` kept; null when it is nowhere. */
export function readItem(kind: Kind, key: string): string | null {
  try {
    return memory.get(key) ?? window[kind].getItem(key);
  } catch {
    return null;
  }
}

/** The fields of a slice that were kept; empty when there are none, or none that can be read. */
export function readSlice(name: string): Slice {
  let slice: Slice = {};
  try {
    slice = { ...JSON.parse(readItem('localStorage', prefix + name) ?? '{}') };
  } catch {}
  if (name === 'map' && slice.at && Date.now() - slice.at > day) {
    slice = {};
    writeItem('localStorage', prefix + name, '{}');
  }
  if (name === 'signup') {
    for (const field of session) {
      const value = readItem('sessionStorage', sessionKey(field));
      if (value) slice[field] = value;
    }
  }
  return slice;
}

/**
 * Keeps a slice: what opens something for this tab's session, what is secret nowhere, the rest
 * across visits (the other person's phone for 24 h from its last writing).
 */
export function writeSlice(name: string, slice: Slice): void {
  const kept: Slice = { at: Date.now() };
  for (const [field, value] of Object.entries(slice)) {
    if (session.includes(field)) writeItem('sessionStorage', sessionKey(field), String(value));
    else if (!nowhere.test(field)) kept[field] = value;
  }
  writeItem('localStorage', prefix + name, JSON.stringify(kept));
}

/** All that only memory holds. */
export const allStored = (): [string, string][] => [...memory];

/** Puts back what another document's memory held. */
export function restoreStored(kept: [string, string][]): void {
  for (const [key, value] of kept) memory.set(key, value);
}
