import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import { createHandlers } from '../../http/handlers.ts';
import { limitBody } from '../../http/request-guard.ts';
import type { App } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import { type Log, reasonOf } from '../../platform/log.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { webhooksOf } from '../gateways/index.ts';
import type { GatewayEvent } from '../purchase/gateway.ts';
import type { GatewayName } from '../purchase/state.ts';
import { claimEvents, eventDatabase, markQueued, releaseEvents } from './webhook-table.ts';

const maxBytes = 256 * 1024;

const isGateway = (name: string): name is GatewayName => gatewayNames.some((one) => one === name);

/** Null for a body that is not UTF-8. A byte order mark is part of the signed text. */
function textOf(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Without D1 every event counts as new. */
async function isNew(db: App['Bindings']['DB'], event: GatewayEvent, now: number, log: Log) {
  try {
    return (await claimEvents(db, [event], now)).length === 1;
  } catch (error) {
    const reason = reasonOf(error);
    log('warn', 'webhook_dedup_failed', { vendor: event.gateway, type: event.type, reason });
    return true;
  }
}

function logForOperator({ gateway: vendor, type, paymentId }: GatewayEvent, log: Log): void {
  const fields = { vendor, type, payment: paymentId ?? undefined };
  // A bank expects a dispute: the payment can still be refunded before it comes.
  if (type === 'radar.early_fraud_warning.created') log('error', 'fraud_warning_received', fields);
  if (type === 'invoice.payment_action_required') log('warn', 'payment_action_required', fields);
}

/** The event only names the objects to read again; its content is not trusted. */
export const receiveWebhook = createHandlers(limitBody(maxBytes), async (c) => {
  const { WEBHOOK_QUEUE } = c.env;
  const { log } = c.var;
  const gateway = c.req.param('gateway') ?? '';
  if (!isGateway(gateway)) throw new Refusal('not_found');
  const { read, events } = await webhooksOf(gateway);
  const body = textOf(await c.req.arrayBuffer());
  const posted = body !== null && { body, headers: c.req.raw.headers };
  const event = posted && (await read(c.env, posted, Date.now()));
  if (!event) throw new Refusal('webhook_refused');
  const received = () => c.json({ received: true });
  if (!events.includes(event.type)) {
    log('info', 'webhook_unregistered', { vendor: event.gateway, type: event.type });
    return received();
  }
  const ms = Math.max(0, Date.now() - (event.createdAt ?? Date.now()));
  log('info', 'webhook_received', { vendor: event.gateway, type: event.type, ms });
  const db = await eventDatabase(c.env, event);
  if (!(await isNew(db, event, Date.now(), log))) return received();
  try {
    await WEBHOOK_QUEUE.send(event);
  } catch (error) {
    unanswered(log, 'WEBHOOK_QUEUE', null)(error);
    await releaseEvents(db, [event]).catch(unanswered(log, 'DB', undefined));
    throw new Refusal('webhook_not_queued');
  }
  logForOperator(event, log);
  await markQueued(db, [event], Date.now()).catch(unanswered(log, 'DB', undefined));
  return received();
});
