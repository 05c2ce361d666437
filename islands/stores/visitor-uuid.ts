import { sliceOf, updateSlice } from '../runtime/storage/update-slice.ts';

export function uuidIn(cookies: string): string | undefined {
  return /(?:^|; )userUuid=([\da-f-]{36})/.exec(cookies)?.[1];
}

/** Only the Worker sets the cookie, together with the key that proves the id. */
export function visitorUuid(): string {
  const existing = sliceOf('signup').uuid || uuidIn(document.cookie);
  if (existing) return existing;
  const fresh = crypto.randomUUID();
  updateSlice('signup', { uuid: fresh });
  return fresh;
}
