import { encodeBase64Url } from 'hono/utils/encode';

const bytes = (text: string) => new TextEncoder().encode(text);

/** What is hashed. The kind is part of the hash, so that no hash passes for one of another kind. */
type HashKind =
  | 'address'
  | 'visitor'
  | 'mailbox'
  | 'intro'
  | 'phone'
  | 'email-code'
  | 'manual-code'
  | 'opt-out-code';

export async function hmacBytesOf(
  secret: string,
  kind: HashKind,
  text: string,
): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  return crypto.subtle.sign('HMAC', key, bytes(`${kind}:${text}`));
}

/** Base64url, 43 characters. Nobody can guess the text without the secret. */
export async function hmacOf(secret: string, kind: HashKind, text: string): Promise<string> {
  return encodeBase64Url(await hmacBytesOf(secret, kind, text)).replace(/=+$/, '');
}

export const randomHex = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
