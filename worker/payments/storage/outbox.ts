import { configuredNetworks } from '../../analytics/ad-networks/index.ts';
import { reportCounts } from '../../analytics/report-counts.ts';
import type { Conversion } from '../../analytics/rules/conversion.ts';
import type { CountInput } from '../../analytics/rules/count.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import { unanswered } from '../../platform/unanswered.ts';
import type { Profile } from '../attempts/profile.ts';
import { recordPayers } from '../ledger/payer-lookup.ts';
import { paymentCounts } from '../ledger/payment-counts.ts';
import {
  accountOf,
  type Change,
  type OutboxEntry,
  writeProjection,
} from '../ledger/purchase-projection.ts';
import type { Notice } from '../notices/email-notices.ts';
import type { PurchaseStorage } from './purchase-storage.ts';

const log = logger();

const messageKinds = ['email', 'conversion', 'counts', 'entitlement_change'] as const;

type OutboxMessage = Extract<OutboxEntry, { kind: (typeof messageKinds)[number] }>;

export const isMessage = (entry: OutboxEntry): entry is OutboxMessage =>
  messageKinds.some((kind) => kind === entry.kind);

const siteOriginOf = ({ siteOrigin }: Profile, env: Env) =>
  env.SITE_URL ? new URL(env.SITE_URL).origin : (siteOrigin ?? '');

/** The id is the same on each delivery: the consumer sends the e-mail once. */
async function sendEmail({ id, template, until, data }: Notice, profile: Profile, env: Env) {
  const { account } = profile;
  const site = siteOriginOf(profile, env);
  await env.EMAIL_QUEUE.send({ id, template, until, data, account, site });
}

async function sendConversion(conversion: Conversion, profile: Profile, env: Env) {
  const site = siteOriginOf(profile, env);
  const messages = configuredNetworks(env).map(({ name: network }) => ({
    body: { ...conversion, network, site },
  }));
  if (messages.length > 0) await env.CONVERSION_QUEUE.sendBatch(messages);
}

async function deliver(message: OutboxMessage, profile: Profile, env: Env): Promise<void> {
  if (message.kind === 'email') await sendEmail(message.notice, profile, env);
  else if (message.kind === 'conversion') await sendConversion(message.conversion, profile, env);
  else if (message.kind === 'counts') await reportCounts(env, message.counts);
  else if (env.ENTITLEMENT_WEBHOOK_URL) {
    const { entitlements, at } = message;
    await env.ENTITLEMENT_QUEUE.send({ ...entitlements, at });
  }
}

function failedEvent(message: OutboxMessage) {
  if (message.kind === 'counts') return { event: 'counts_enqueue_failed' } as const;
  if (message.kind === 'conversion') return { event: 'conversion_enqueue_failed' } as const;
  if (message.kind === 'entitlement_change')
    return { event: 'entitlement_enqueue_failed' } as const;
  return { event: 'email_enqueue_failed', template: message.notice.template } as const;
}

/** Counts that were not accepted stay in the outbox, so that they never delay the copy in D1. */
async function reportPayments(counts: CountInput[], storage: PurchaseStorage, env: Env) {
  if (counts.length === 0) return;
  await reportCounts(env, counts).catch((error) => {
    unanswered(log, 'EVENT_SHARDS', null)(error);
    storage.queue({ kind: 'counts', counts });
  });
}

const forOperators = (change: Change) =>
  change.kind === 'operator_case' || change.kind === 'unspent_money';

/** Operators look for their cases in one database, whichever account they belong to. */
export async function writeChanges(
  changes: readonly Change[],
  env: Env,
  isRepair = false,
): Promise<void> {
  await recordPayers(env, changes, isRepair);
  for (const [db, own] of Map.groupBy(changes, (change) =>
    forOperators(change) ? env.DB : accountDatabase(env, accountOf(change)),
  ))
    await writeProjection(db, own, isRepair);
}

/** @returns the keys of the entries that were delivered */
async function deliverBatch(
  entries: readonly [key: string, entry: OutboxEntry][],
  storage: PurchaseStorage,
  env: Env,
): Promise<string[]> {
  const { profile } = storage;
  const delivered: string[] = [];
  const rows = entries.flatMap(([key, entry]) => (isMessage(entry) ? [] : [{ key, entry }]));
  const messages = entries.flatMap(([key, entry]) => (isMessage(entry) ? [{ key, entry }] : []));
  try {
    const changes = rows.map(({ entry }) => entry);
    await writeChanges(changes, env);
    await reportPayments(paymentCounts(storage, rows), storage, env);
    delivered.push(...rows.map(({ key }) => key));
  } catch (error) {
    log('warn', 'projection_failed', { reason: reasonOf(error) });
  }
  for (const { key, entry } of messages) {
    try {
      if (profile) await deliver(entry, profile, env);
      delivered.push(key);
    } catch (error) {
      const { event, ...fields } = failedEvent(entry);
      log('warn', event, { ...fields, reason: reasonOf(error) });
    }
  }
  return delivered;
}

/** At least once; consumers are idempotent. @returns false while entries are left */
export async function flushOutbox(storage: PurchaseStorage, env: Env): Promise<boolean> {
  for (;;) {
    const entries = storage.outbox.next();
    if (entries.length === 0) return true;
    const delivered = await deliverBatch(entries, storage, withBindingTimeouts(env));
    storage.outbox.delete(delivered);
    if (delivered.length < entries.length) return false;
  }
}
