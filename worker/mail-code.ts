import { encodeBase64Url } from 'hono/utils/encode';

/**
 * The code that a mail carries: 128 bits, base64url. It is made of the mail's id and the secret of the
 * Worker, so that it lies in no queue, and a mail that is sent again is the same mail.
 */
export async function mailCodeOf(secret: string, mail: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, bytes(`mail-code|${mail}`));
  return encodeBase64Url(mac.slice(0, 16)).replace(/=+$/, '');
}
