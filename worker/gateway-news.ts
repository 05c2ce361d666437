import type { Env } from './env.ts';
import { isGatewayEvent } from './funnel/gateway-event.ts';
import type { Log } from './log.ts';
import { ownerOf } from './storage/owners.ts';
import type { Unconfirmed } from './wishes.ts';

/** What the queue says of a message. */
interface Message {
  body: unknown;
  attempts: number;
}

/** So often an event is tried whose account nobody knows: our copy may be late. */
const tries = 3;

/** Messages by the account that has to be read anew, and those whose account is not known. */
async function sorted(messages: readonly Message[], env: Env, log: Log) {
  const byAccount = new Map<string, Message[]>();
  const again: Message[] = [];
  for (const message of messages) {
    const event = message.body;
    if (!isGatewayEvent(event)) {
      log('error', 'webhook_malformed');
      continue;
    }
    const { account: told, gateway: vendor, type } = event;
    const account = told ?? (await ownerOf(env.DB, event).catch(() => undefined));
    if (account) byAccount.set(account, [...(byAccount.get(account) ?? []), message]);
    else if (account === null && message.attempts >= tries) {
      log('info', 'webhook_foreign', { vendor, type });
    } else again.push(message);
  }
  return { byAccount, again };
}

/** Renewals that a bank wants their buyer to confirm. */
const unconfirmedIn = (about: readonly Message[]): Unconfirmed[] =>
  about.flatMap(({ body }) => {
    if (!isGatewayEvent(body) || body.type !== 'invoice.payment_action_required') return [];
    const { subscriptionId, invoiceId: invoice } = body;
    return subscriptionId && invoice ? [{ subscriptionId, invoice }] : [];
  });

/**
 * Takes gateways' events: the object of each account named reads everything at its gateways anew, so
 * that events may come in any order, twice, or not at all.
 *
 * @returns the bodies that must come again
 */
export async function takeNews(
  messages: readonly Message[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  const { byAccount, again } = await sorted(messages, env, log);
  for (const [account, about] of byAccount) {
    const read = await env.PURCHASES.getByName(account)
      .sync(unconfirmedIn(about))
      .catch(() => false);
    if (read) continue;
    log('warn', 'sync_failed', { count: about.length });
    again.push(...about);
  }
  return again.map(({ body }) => body);
}
