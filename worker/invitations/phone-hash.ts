import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { hmacOf } from '../http/hmac.ts';

/**
 * Keyed hash of a number, which nobody can reverse by trying all numbers without the secret. It names
 * the invitee's object.
 *
 * @throws Refusal `invitations_off` while the secret is not set
 */
export async function phoneHash(env: Env, e164: string): Promise<string> {
  const secret = env.PHONE_HASH_SECRET ?? '';
  if (secret.length < 32) throw new Refusal('invitations_off');
  return hmacOf(secret, 'phone', e164);
}
