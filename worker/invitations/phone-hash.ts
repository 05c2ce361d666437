import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { hmacOf } from '../http/hmac.ts';

/**
 * What stands for a number wherever it must not be readable: a keyed hash, which nobody can try out
 * without the secret. It is also the name of the person's object.
 *
 * @throws Refusal `invitations_off` while the secret is not set
 */
export async function phoneHash(env: Env, e164: string): Promise<string> {
  const secret = env.NUMBER_SECRET ?? '';
  if (secret.length < 32) throw new Refusal('invitations_off');
  return hmacOf(secret, 'phone', e164);
}
