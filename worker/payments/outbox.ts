import { configuredNetworks } from '../analytics/ad-networks/index.ts';
import type { Conversion } from '../analytics/rules/conversion.ts';
import type { Env } from '../env.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { logger } from '../log.ts';
import type { Profile } from './profile.ts';
import { type Change, writeProjection } from './purchase-projection.ts';
import type { OutboxEntry, PurchaseStorage } from './purchase-storage.ts';
import type { Notice } from './rules/email-notices.ts';

const log = logger();

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'thrown');

type Owed = Exclude<OutboxEntry, Change>;

const isOwed = (entry: OutboxEntry): entry is Owed => 'notice' in entry || 'conversion' in entry;

const siteOf = ({ siteOrigin: site }: Profile, env: Env) =>
  env.SITE_URL ? new URL(env.SITE_URL).origin : (site ?? '');

/** A mail's id is the same however often it is sent: the consumer takes it once. */
async function mail({ id, template, until, data }: Notice, profile: Profile, env: Env) {
  const { account } = profile;
  await env.EMAIL_QUEUE.send({ id, template, until, data, account, site: siteOf(profile, env) });
}

/** A message for each network, so that each is retried alone. */
async function advertise(conversion: Conversion, profile: Profile, env: Env) {
  const site = siteOf(profile, env);
  const messages = configuredNetworks(env).map(({ name: network }) => ({
    body: { ...conversion, network, site },
  }));
  if (messages.length > 0) await env.CONVERSION_QUEUE.sendBatch(messages);
}

const pay = (owed: Owed, profile: Profile, env: Env) =>
  'notice' in owed ? mail(owed.notice, profile, env) : advertise(owed.conversion, profile, env);

const waits = (owed: Owed) =>
  'notice' in owed
    ? (['email_enqueue_failed', owed.notice.template] as const)
    : (['conversion_enqueue_failed'] as const);

/** Does it for each; those that went, in their order, up to the first that did not. */
async function tell(
  entries: readonly [key: string, entry: OutboxEntry][],
  profile: Profile | undefined,
  env: Env,
): Promise<string[]> {
  const gone: string[] = [];
  const rows = entries.flatMap(([key, entry]) => (isOwed(entry) ? [] : [{ key, entry }]));
  const debts = entries.flatMap(([key, entry]) => (isOwed(entry) ? [{ key, entry }] : []));
  try {
    if (rows.length > 0)
      await writeProjection(
        env.DB,
        rows.map(({ entry }) => entry),
      );
    gone.push(...rows.map(({ key }) => key));
  } catch (error) {
    log('warn', 'projection_failed', { reason: reasonOf(error) });
  }
  for (const { key, entry } of debts) {
    try {
      if (profile) await pay(entry, profile, env);
      gone.push(key);
    } catch (error) {
      const [event, key] = waits(entry);
      log('warn', event, { key, reason: reasonOf(error) });
    }
  }
  return gone;
}

/**
 * Tells D1 and the queues what an account's object has for them. What does not go stays and
 * comes again; nothing is lost, and what goes twice is the same thing.
 *
 * @returns false while something is left
 */
export async function flushOutbox(ledger: PurchaseStorage, env: Env): Promise<boolean> {
  for (;;) {
    const entries = ledger.outbox();
    if (entries.length === 0) return true;
    const gone = await tell(entries, ledger.profile, withBindingTimeouts(env));
    ledger.deleteFromOutbox(gone);
    if (gone.length < entries.length) return false;
  }
}
