import { createHmac } from 'node:crypto';
import { canonicalMailbox } from '../../accounts/rules/mailbox.ts';
import { databaseAt, numbersFor } from '../../platform/account-databases.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import { signingSecret } from '../../platform/hmac.ts';
import type { Gateway } from '../purchase/gateway.ts';
import type { GatewayName } from '../purchase/state.ts';
import { isMarked, markPerson } from './person-table.ts';

/** Prefers the secret that is never replaced, because a new one would forget everybody. */
const keyOf = (env: Env) => env.PHONE_HASH_SECRET || signingSecret(env);

export const personHash = (subject: string, identity: string, env: Env): string =>
  createHmac('sha256', keyOf(env)).update(`${subject}:${identity}`).digest('base64url');

export const mailboxOf = (email: string): string => `mailbox:${canonicalMailbox(email)}`;

/**
 * The mailbox, and the card, bank account or wallet. Where everything is a fake, everybody has the same test cards.
 * @throws when the gateway does not respond
 */
export async function identitiesOf(
  email: string,
  method: string | null,
  name: GatewayName,
  gateway: Pick<Gateway, 'fingerprint'>,
  { FAKES_URL }: Pick<Env, 'FAKES_URL'>,
): Promise<string[]> {
  const known = method && !FAKES_URL ? await gateway.fingerprint(method) : null;
  return [...(email ? [mailboxOf(email)] : []), ...(known ? [`method:${name}:${known}`] : [])];
}

/** The databases that may have a hash's row; a new row goes to the first. */
export const placesOf = (hash: string, env: Env) => numbersFor(env, `intro:${hash}`);

export async function isMarkedAnywhere(hash: string, env: Env): Promise<boolean> {
  for (const number of await placesOf(hash, env))
    if (await isMarked(databaseAt(withBindingTimeouts(env), number), hash, Date.now())) return true;
  return false;
}

export async function mark(hash: string, env: Env): Promise<void> {
  const [newest = 0] = await placesOf(hash, env);
  await markPerson(databaseAt(withBindingTimeouts(env), newest), hash, Date.now());
}
