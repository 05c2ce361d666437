import type { Env } from './env.ts';
import type { Notice } from './funnel/notice.ts';
import type { Entry, Ledger, Profile } from './ledger.ts';
import { logger } from './log.ts';
import { project } from './storage/projection.ts';

const log = logger();

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'thrown');

/** A mail's id is the same however often it is sent: the consumer takes it once. */
async function mail({ id, letter, until, data }: Notice, { account, site }: Profile, env: Env) {
  const from = env.SITE_URL ? new URL(env.SITE_URL).origin : (site ?? '');
  await env.MAILS.send({ id, letter, until, data, account, site: from });
}

/** Does it for each; those that went, in their order, up to the first that did not. */
async function tell(
  entries: readonly [key: string, entry: Entry][],
  profile: Profile | undefined,
  env: Env,
): Promise<string[]> {
  const gone: string[] = [];
  const rows = entries.flatMap(([key, entry]) => ('notice' in entry ? [] : [{ key, entry }]));
  const notices = entries.flatMap(([key, entry]) =>
    'notice' in entry ? [{ key, notice: entry.notice }] : [],
  );
  try {
    if (rows.length > 0)
      await project(
        env.DB,
        rows.map(({ entry }) => entry),
      );
    gone.push(...rows.map(({ key }) => key));
  } catch (error) {
    log('warn', 'projection_failed', { reason: reasonOf(error) });
  }
  for (const { key, notice } of notices) {
    try {
      if (profile) await mail(notice, profile, env);
      gone.push(key);
    } catch (error) {
      log('warn', 'mail_waits', { key: notice.letter, reason: reasonOf(error) });
    }
  }
  return gone;
}

/**
 * Tells D1 and the queue of mails what an account's object has for them. What does not go stays and
 * comes again; nothing is lost, and what goes twice is the same thing.
 *
 * @returns false while something is left
 */
export async function feed(ledger: Ledger, env: Env): Promise<boolean> {
  for (;;) {
    const entries = ledger.outbox();
    if (entries.length === 0) return true;
    const gone = await tell(entries, ledger.profile, env);
    ledger.sent(gone);
    if (gone.length < entries.length) return false;
  }
}
