import { storageAllowed } from '../runtime/storage/state-storage.ts';
import { $signup } from './signup.ts';

const days365 = 365 * 24 * 60 * 60;

/** The visitor's uuid in a cookie header, or undefined. */
export function uuidIn(cookies: string): string | undefined {
  return /(?:^|; )userUuid=([\da-f-]{36})/.exec(cookies)?.[1];
}

/**
 * The anonymous visitor's uuid: the one that the product gave at sign-up, else the cookie's, else
 * a fresh one, which goes into the cookie where that is allowed.
 */
export function visitorUuid(): string {
  const kept = $signup.get().uuid || uuidIn(document.cookie);
  if (kept) return kept;
  const fresh = crypto.randomUUID();
  const lifetime = storageAllowed() ? `; Max-Age=${days365}` : '';
  document.cookie = `userUuid=${fresh}; Path=/; SameSite=Lax${lifetime}`;
  $signup.setKey('uuid', fresh);
  return fresh;
}
