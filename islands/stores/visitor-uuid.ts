import { sliceOf, updateSlice } from '../runtime/storage/update-slice.ts';

export function uuidIn(cookies: string): string | undefined {
  return /(?:^|; )userUuid=([\da-f-]{36})/.exec(cookies)?.[1];
}

/** A UUID of version 4. Browsers without a secure connection, and old ones, have no `randomUUID`. */
export const randomId = (): string =>
  (crypto.randomUUID as Crypto['randomUUID'] | undefined)?.call(crypto) ??
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });

/** Only the Worker sets the cookie, together with the key that proves the id. */
export function visitorUuid(): string {
  const existing = sliceOf('signup').uuid || uuidIn(document.cookie);
  if (existing) return existing;
  const fresh = randomId();
  updateSlice('signup', { uuid: fresh });
  return fresh;
}
