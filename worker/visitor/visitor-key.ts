import { createHash, randomBytes } from 'node:crypto';
import { minuteMs } from '../platform/durations.ts';
import { asVisitorId, type VisitorId } from '../platform/types.ts';

/** HttpOnly, `__Host-visitorKey` on https. It lives as long as the cookie with the id. */
export const visitorKeyCookie = 'visitorKey';

const randomLength = 22;

/** Random, and the minute of the first visit. */
export const newVisitorKey = (): string =>
  randomBytes(16).toString('base64url') + Math.floor(Date.now() / minuteMs).toString(36);

/** Ms since 1970; 0 for a key of an earlier build, which has no time. */
export const firstSeen = (key: string | null): number =>
  Number.parseInt(key?.slice(randomLength) ?? '', 36) * minuteMs || 0;

const isKey = (text: string) => /^[\w-]{22,64}$/.test(text);

/**
 * The id is a hash of the key, so the key proves the id, and the id, which scripts and providers know, reveals nothing.
 * @returns a UUID of version 4; null for a malformed key
 */
export function visitorIdOf(key: string | undefined): VisitorId | null {
  return key && isKey(key) ? idOfKey(key) : null;
}

export function idOfKey(key: string): VisitorId {
  const hash = createHash('sha256').update(key).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x40;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return asVisitorId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}
