import { configuredNetworks } from '../analytics/ad-networks/index.ts';
import type { Conversion } from '../analytics/rules/conversion.ts';
import type { Env } from '../env.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { logger } from '../log.ts';
import { type Change, writeProjection } from './purchase-projection.ts';
import type { OutboxEntry, Profile, PurchaseStorage } from './purchase-storage.ts';
import type { Notice } from './rules/email-notices.ts';
import { withAttemptDefaults } from './rules/new-attempt.ts';
import { withSubscriptionDefaults } from './rules/subscription.ts';

const log = logger();

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'thrown');

type OutboxMessage = Extract<OutboxEntry, { kind: 'email' | 'conversion' }>;

const isMessage = (entry: OutboxEntry): entry is OutboxMessage =>
  entry.kind === 'email' || entry.kind === 'conversion';

function withDefaults(entry: Change): Change {
  switch (entry.kind) {
    case 'attempt':
      return { ...entry, attempt: withAttemptDefaults(entry.attempt) };
    case 'subscription':
      return { ...entry, subscription: withSubscriptionDefaults(entry.subscription) };
    default:
      return entry;
  }
}

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

const deliver = (message: OutboxMessage, profile: Profile, env: Env) =>
  message.kind === 'email'
    ? sendEmail(message.notice, profile, env)
    : sendConversion(message.conversion, profile, env);

const failedEvent = (message: OutboxMessage) =>
  message.kind === 'email'
    ? ({ event: 'email_enqueue_failed', template: message.notice.template } as const)
    : ({ event: 'conversion_enqueue_failed' } as const);

/** @returns the keys of the entries that were delivered */
async function deliverBatch(
  entries: readonly [key: string, entry: OutboxEntry][],
  profile: Profile | undefined,
  env: Env,
): Promise<string[]> {
  const delivered: string[] = [];
  const rows = entries.flatMap(([key, entry]) =>
    isMessage(entry) ? [] : [{ key, entry: withDefaults(entry) }],
  );
  const messages = entries.flatMap(([key, entry]) => (isMessage(entry) ? [{ key, entry }] : []));
  try {
    const changes = rows.map(({ entry }) => entry);
    if (changes.length > 0) await writeProjection(env.DB, changes);
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

/** At least once; consumers are idempotent. @returns false while something is left */
export async function flushOutbox(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  for (;;) {
    const entries = ledger.outbox();
    if (entries.length === 0) return true;
    const delivered = await deliverBatch(entries, ledger.profile, withBindingTimeouts(env));
    ledger.deleteFromOutbox(delivered);
    if (delivered.length < entries.length) return false;
  }
}
