import { storageAllowed } from '../runtime/storage/state-storage.ts';
import { sliceOf, updateSlice } from '../runtime/storage/update-slice.ts';

const maxAgeSeconds = 365 * 24 * 60 * 60;

export function uuidIn(cookies: string): string | undefined {
  return /(?:^|; )userUuid=([\da-f-]{36})/.exec(cookies)?.[1];
}

export function visitorUuid(): string {
  const existing = sliceOf('signup').uuid || uuidIn(document.cookie);
  if (existing) return existing;
  const fresh = crypto.randomUUID();
  const maxAge = storageAllowed() ? `; Max-Age=${maxAgeSeconds}` : '';
  document.cookie = `userUuid=${fresh}; Path=/; SameSite=Lax${maxAge}`;
  updateSlice('signup', { uuid: fresh });
  return fresh;
}
