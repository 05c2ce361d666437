import type { D1Database, KVNamespace } from '@cloudflare/workers-types';
import {
  contentOf,
  type DocumentStore,
  type Documents,
  namespaceKv,
} from '../../documents/versioned-documents.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { configStore } from '../../experiments/config-versions.ts';
import { type Log, messageOf, reasonOf } from '../../log.ts';
import { insertCommand, recordCommandResult } from '../../operators/audited-command.ts';
import { consoleMode } from '../rules/console-mode.ts';
import { may, roleOf } from '../rules/roles.ts';
import { confirmWritten, loadTexts, textStore } from '../texts/live-texts.ts';
import { liveDocuments, type PublishResult, publishAudited } from './publish-documents.ts';
import { recordRefused } from './refused-documents.ts';
import {
  cancelScheduled,
  claimDue,
  insertScheduled,
  listScheduled,
  type ScheduledRow,
  type ScheduledSummary,
  updateScheduled,
  waitingPublication,
} from './schedule-table.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const maxAheadMs = 366 * dayMs;
/** A cron run that takes longer counts as dead; the next one publishes instead. */
const runMs = 5 * minuteMs;
/** How long a failing publication is retried. */
const retriedMs = 60 * minuteMs;
const maxPerRun = 20;

export type Kind = ScheduledRow['kind'];

/** For texts, the languages must be loaded first. */
const storeOf = (kind: Kind): DocumentStore<Documents> =>
  kind === 'content' ? textStore : (configStore as unknown as DocumentStore<Documents>);

interface Stores {
  DB: D1Database;
  FUNNEL: KVNamespace;
}

interface ScheduleRequest {
  kind: Kind;
  next: Documents;
  /** Fingerprint of the documents that the editor started from. */
  base: string;
  who: string;
  byPerson: boolean;
  reason: string;
  /** One key schedules one publication. */
  key: string;
  now: number;
  /** Ms since 1970; NaN for an invalid time. */
  dueAt: number;
}

export type ScheduleResult =
  | { kind: 'scheduled'; dueAt: number }
  | { kind: 'bad-time' }
  /** Another one must be published or cancelled first. */
  | { kind: 'waiting'; who: string; dueAt: number }
  | Exclude<PublishResult<Documents>, { kind: 'published' }>;

/** Schedules documents for a time; they are not published if others are live by then. Idempotent. @throws Refusal */
export async function schedulePublication(
  { DB, FUNNEL }: Stores,
  { kind, next, base, who, byPerson, reason, key, now, dueAt }: ScheduleRequest,
): Promise<ScheduleResult> {
  if (!(dueAt > now && dueAt < now + maxAheadMs)) return { kind: 'bad-time' };
  const store = storeOf(kind);
  const { errors } = store.problems(next);
  if (errors.length > 0) return { kind: 'invalid', errors };
  const live = await liveDocuments(store, namespaceKv(FUNNEL), DB, now);
  if (contentOf(live.documents) === contentOf(next)) return { kind: 'unchanged' };
  if (live.fingerprint !== base) return { kind: 'conflict', live };
  const waiting = await waitingPublication(DB, kind, key);
  if (waiting) return { kind: 'waiting', who: waiting.operator, dueAt: waiting.due_at };
  const differences = store.differences(live.documents, next);
  const details = { due: new Date(dueAt).toISOString(), base, differences };
  const command = { operator: who, action: 'schedule', target: kind, details, reason };
  const audit = await insertCommand(DB, command, now);
  const isOurs = await insertScheduled(DB, {
    id: key,
    kind,
    base,
    documents: JSON.stringify(next),
    differences: JSON.stringify(differences),
    operator: who,
    by_person: byPerson ? 1 : 0,
    reason,
    due_at: dueAt,
  });
  const outcome = isOurs ? `scheduled ${key}` : 'refused';
  await recordCommandResult(DB, audit, outcome).catch(() => {});
  // The form of a scheduled or cancelled publication was submitted again with another time.
  if (!isOurs) throw new Refusal('idempotency_key_reused');
  return { kind: 'scheduled', dueAt };
}

/** @returns its kind; null if it is no longer pending */
export async function cancelPublication(
  { DB }: Pick<Stores, 'DB'>,
  { id, who, now }: { id: string; who: string; now: number },
): Promise<Kind | null> {
  const command = { operator: who, action: 'cancel_schedule', target: id, details: {}, reason: '' };
  const audit = await insertCommand(DB, command, now);
  const kind = await cancelScheduled(DB, { id, note: `By ${who}.`, lost: now - runMs });
  await recordCommandResult(DB, audit, kind ? 'cancelled' : 'no longer pending').catch(() => {});
  return kind;
}

/** Pending ones, and those of the last 30 days; latest first. */
export const scheduledPublications = (
  { DB }: Pick<Stores, 'DB'>,
  kind: Kind,
  now: number,
): Promise<ScheduledSummary[]> => listScheduled(DB, kind, now - 30 * dayMs);

async function noteOf(
  store: DocumentStore<Documents>,
  env: Stores,
  result: PublishResult<Documents>,
): Promise<Pick<ScheduledRow, 'state' | 'note'>> {
  if (result.kind === 'published')
    return { state: 'published', note: `Version ${result.version}.` };
  if (result.kind === 'unchanged') {
    return { state: 'published', note: 'These documents were already live.' };
  }
  if (result.kind === 'invalid') {
    return {
      state: 'refused',
      note: `No longer valid: ${result.errors.slice(0, 5).join('; ')}`,
    };
  }
  const versions = await store.versions(namespaceKv(env.FUNNEL)).catch(() => []);
  const other = versions.find(({ fingerprint }) => fingerprint === result.live.fingerprint);
  const what = other
    ? `${other.who} published version ${other.id}`
    : 'other documents were published';
  return {
    state: 'refused',
    note: `Nothing was published, because ${what} in the meantime. Review the change and schedule it again.`,
  };
}

/** Checked again because a role can be withdrawn. With the sign-in link of `npm start` everybody is an owner. */
function mayPublish(env: Env, { operator, by_person }: ScheduledRow): boolean {
  const mode = consoleMode(env);
  if (by_person === 0 || mode === 'link') return true;
  const role = mode && roleOf(env.CONSOLE_ROLES ?? '', operator);
  return role !== null && may(role, 'publish');
}

async function publishRow(env: Env, row: ScheduledRow, now: number, log: Log): Promise<void> {
  const { id, kind, base, operator: who, reason } = row;
  if (!mayPublish(env, row)) {
    const note = `Nothing was published, because ${who} may no longer publish. Somebody with the right to publish must schedule it again.`;
    await updateScheduled(env.DB, { id, state: 'refused', note });
    return log('warn', 'scheduled_publication_refused', { document: kind });
  }
  if (kind === 'content') await loadTexts(env, log);
  const store = storeOf(kind);
  const differences = JSON.parse(row.differences) as string[];
  const details = { scheduled: id, base, differences };
  try {
    const next = JSON.parse(row.documents) as Documents;
    const change = { next, base, who, now: new Date(now) };
    const kv = namespaceKv(env.FUNNEL);
    const before = await liveDocuments(store, kv, env.DB, now);
    const result = await publishAudited(store, kv, env.DB, change, { details, reason });
    if (kind === 'content' && result.kind === 'published') {
      await confirmWritten(env.DB, before.documents, next);
    }
    const end = await noteOf(store, env, result);
    await updateScheduled(env.DB, { id, ...end });
    if (end.state === 'refused') log('warn', 'scheduled_publication_refused', { document: kind });
  } catch (error) {
    const isOver = now > row.due_at + retriedMs;
    const state = isOver ? 'refused' : 'waiting';
    const what = isOver ? 'failed for an hour; schedule it again' : 'failed, and is retried';
    const note = `Publishing ${what}. Error: ${messageOf(error)}`;
    await updateScheduled(env.DB, { id, state, note }).catch(() => {});
    throw error;
  }
}

/** Publishes due publications, each once, however many runs there are. A failed one is retried by a later run. */
export async function publishDue(env: Env, now: number, log: Log): Promise<number> {
  for (let count = 0; count < maxPerRun; count++) {
    const row = await claimDue(env.DB, now, now - runMs);
    if (!row) return count;
    await publishRow(env, row, now, log).catch((error) =>
      log('error', 'scheduled_publication_failed', {
        document: row.kind,
        reason: reasonOf(error),
      }),
    );
  }
  return maxPerRun;
}

/** The cron publishes what is due, and stores documents that visitors do not get. @returns how many were due */
export async function runDuePublications(env: Env, now: number, log: Log): Promise<number> {
  const count = await publishDue(env, now, log);
  await recordRefused(env.FUNNEL, now);
  return count;
}
