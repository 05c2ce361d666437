import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import type { AccountId } from '../../platform/types.ts';
import { unanswered } from '../../platform/unanswered.ts';
import type { FailedPayment } from '../fraud/card-attempt-counter.ts';
import { findPayer } from '../ledger/payer-lookup.ts';
import { isGatewayEvent } from '../purchase/gateway.ts';
import type { UnconfirmedRenewal } from '../subscriptions/cancel-resume.ts';

interface Message {
  body: unknown;
  attempts: number;
}

/** Retries for an event of an unknown account, because the copy in D1 may be late. */
const maxDeliveries = 3;

async function groupByAccount(messages: readonly Message[], env: Env, log: Log) {
  const byAccount = new Map<AccountId, Message[]>();
  const retry: Message[] = [];
  for (const message of messages) {
    const event = message.body;
    if (!isGatewayEvent(event)) {
      log('error', 'webhook_malformed');
      continue;
    }
    const { account: named, gateway: vendor, type } = event;
    const account = named ?? (await findPayer(env, event).catch(unanswered(log, 'DB', undefined)));
    if (account) byAccount.set(account, [...(byAccount.get(account) ?? []), message]);
    else if (account === null && message.attempts >= maxDeliveries) {
      log('info', 'webhook_unknown_account', { vendor, type });
    } else retry.push(message);
  }
  return { byAccount, retry };
}

const unconfirmedIn = (messages: readonly Message[]): UnconfirmedRenewal[] =>
  messages.flatMap(({ body }) => {
    if (!isGatewayEvent(body) || body.type !== 'invoice.payment_action_required') return [];
    const { subscriptionId, invoiceId: invoice } = body;
    return subscriptionId && invoice ? [{ subscriptionId, invoice }] : [];
  });

const failedIn = (messages: readonly Message[]): FailedPayment[] =>
  messages.flatMap(({ body }) =>
    isGatewayEvent(body) && body.type === 'payment_intent.payment_failed' && body.paymentId
      ? [{ payment: body.paymentId, event: body.id }]
      : [],
  );

/** Events may come in any order, twice, or not at all. @returns the bodies to retry */
export async function consumeWebhooks(
  messages: readonly Message[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  const { byAccount, retry } = await groupByAccount(messages, env, log);
  for (const [account, events] of byAccount) {
    const isRead = await env.PURCHASES.getByName(account)
      .sync(unconfirmedIn(events), failedIn(events))
      .catch(unanswered(log, 'PURCHASES', false));
    if (isRead) continue;
    log('warn', 'sync_failed', { count: events.length });
    retry.push(...events);
  }
  return retry.map(({ body }) => body);
}
