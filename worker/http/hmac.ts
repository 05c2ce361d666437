import { encodeBase64Url } from 'hono/utils/encode';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A hash that nobody can try texts out on without the secret: HMAC-SHA-256 as 43 characters. */
export async function hmacOf(secret: string, text: string): Promise<string> {
  const how = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), how, false, ['sign']);
  return encodeBase64Url(await crypto.subtle.sign('HMAC', key, bytes(text))).replace(/=+$/, '');
}
