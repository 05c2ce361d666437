import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { accountOfPayment } from './purchase-lookup.ts';
import { isGatewayEvent } from './rules/gateway-event.ts';
import type { UnconfirmedRenewal } from './subscription-changes.ts';

/** What the queue says of a message. */
interface Message {
  body: unknown;
  attempts: number;
}

/** So often an event is tried whose account nobody knows: our copy may be late. */
const maxDeliveries = 3;

/** Messages by the account that has to be read anew, and those whose account is not known. */
async function groupByAccount(messages: readonly Message[], env: Env, log: Log) {
  const byAccount = new Map<string, Message[]>();
  const again: Message[] = [];
  for (const message of messages) {
    const event = message.body;
    if (!isGatewayEvent(event)) {
      log('error', 'webhook_malformed');
      continue;
    }
    const { account: told, gateway: vendor, type } = event;
    const account = told ?? (await accountOfPayment(env.DB, event).catch(() => undefined));
    if (account) byAccount.set(account, [...(byAccount.get(account) ?? []), message]);
    else if (account === null && message.attempts >= maxDeliveries) {
      log('info', 'webhook_unknown_account', { vendor, type });
    } else again.push(message);
  }
  return { byAccount, again };
}

/** Renewals that a bank wants their buyer to confirm. */
const unconfirmedIn = (about: readonly Message[]): UnconfirmedRenewal[] =>
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
export async function consumeWebhooks(
  messages: readonly Message[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  const { byAccount, again } = await groupByAccount(messages, env, log);
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
