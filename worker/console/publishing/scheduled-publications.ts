import type { D1Database, KVNamespace } from '@cloudflare/workers-types';
import type { DocumentSet, Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { contentOf } from '../../documents/live-documents.ts';
import {
  changesBetween,
  type DocumentChange,
  withChanges,
} from '../../documents/rules/document-changes.ts';
import { configSet } from '../../experiments/config-set.ts';
import { insertCommand, recordCommandResult } from '../../operators/audited-command.ts';
import type { Env } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import { type Log, messageOf, reasonOf } from '../../platform/log.ts';
import { consoleMode } from '../parts/rules/console-mode.ts';
import { may, roleOf } from '../parts/rules/roles.ts';
import { confirmWritten, loadTexts, textSet } from './live-texts.ts';
import {
  liveDocuments,
  type PublishResult,
  publishAudited,
  questionOf,
} from './publish-documents.ts';
import { recordRefused } from './refused-documents.ts';
import { type Blocked, blockedPublications, conflictIn } from './rules/pending-publications.ts';
import {
  cancelScheduled,
  claimDue,
  insertScheduled,
  listScheduled,
  type PendingRow,
  pendingPublications,
  type ScheduledRow,
  type ScheduledSummary,
  updateScheduled,
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
const setOf = (kind: Kind): DocumentSet => (kind === 'content' ? textSet : configSet);

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
  dueAt: number;
}

export type ScheduleResult =
  | { kind: 'scheduled'; dueAt: number }
  | { kind: 'bad-time' }
  /** It and a pending one cannot both be published. */
  | { kind: 'clash'; who: string; dueAt: number; problem: string }
  | Exclude<PublishResult, { kind: 'published' | 'unsellable' }>;

const errorsIn =
  (set: DocumentSet) =>
  (documents: Documents): string[] =>
    set.problems(documents).errors;

/** Pending publications, and those that cannot be published once `next` is live. */
export async function pendingAfter(
  { DB }: Pick<Stores, 'DB'>,
  kind: Kind,
  next: Documents,
): Promise<{ pending: PendingRow[]; blocked: Blocked<PendingRow>[] }> {
  const pending = await pendingPublications(DB, kind);
  return { pending, blocked: blockedPublications(next, pending, errorsIn(setOf(kind))) };
}

/** How often a concurrent editor may schedule something else between the check and the write. */
const maxChecks = 5;

/** Schedules a change of the live documents, which keeps what others publish before then. Idempotent. @throws Refusal */
export async function schedulePublication(
  { DB, FUNNEL }: Stores,
  { kind, next, base, who, byPerson, reason, key, now, dueAt }: ScheduleRequest,
): Promise<ScheduleResult> {
  if (!(dueAt > now && dueAt < now + maxAheadMs)) return { kind: 'bad-time' };
  const set = setOf(kind);
  const live = await liveDocuments(set, namespaceKv(FUNNEL), DB, now);
  const { errors } = set.problems(next, live.documents);
  if (errors.length > 0) return { kind: 'invalid', errors };
  if (contentOf(live.documents) === contentOf(next)) return { kind: 'unchanged' };
  if (live.fingerprint !== base) return { kind: 'conflict', live };
  const differences = set.differences(live.documents, next);
  const details = { due: new Date(dueAt).toISOString(), base, differences };
  const command = { operator: who, action: 'schedule', target: kind, details, reason };
  const row = {
    id: key,
    kind,
    changes: JSON.stringify(changesBetween(live.documents, next)),
    differences: JSON.stringify(differences),
    operator: who,
    by_person: byPerson ? (1 as const) : (0 as const),
    reason,
    due_at: dueAt,
  };
  const audit = await insertCommand(DB, command, now);
  const record = (result: string) => recordCommandResult(DB, audit, result).catch(() => {});
  for (let check = 0; check < maxChecks; check += 1) {
    const others = (await pendingPublications(DB, kind)).filter(({ id }) => id !== key);
    const before = blockedPublications(live.documents, others, errorsIn(set));
    const all = [...others, row].sort((a, b) => a.due_at - b.due_at);
    const blocked = blockedPublications(live.documents, all, errorsIn(set));
    const clash = blocked.find(({ row: { id } }) => !before.some((each) => each.row.id === id));
    if (clash) {
      await record('refused');
      return clashOf(clash, others, row);
    }
    if (await insertScheduled(DB, row, others.length)) {
      await record(`scheduled ${key}`);
      return { kind: 'scheduled', dueAt };
    }
  }
  await record('refused');
  // The form of a scheduled or cancelled publication was submitted again with another time.
  throw new Refusal('idempotency_key_reused');
}

/** Names the pending publication: the one that would fail, or the last one before the new one. */
function clashOf(
  { row, problem }: Blocked<PendingRow>,
  others: readonly PendingRow[],
  own: PendingRow,
): ScheduleResult {
  const earlier = others.filter(({ due_at }) => due_at <= own.due_at).at(-1);
  const other = row.id === own.id ? (earlier ?? own) : row;
  return { kind: 'clash', who: other.operator, dueAt: other.due_at, problem };
}

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

/** @returns null when another publication came between; it is tried again */
function noteOf(result: PublishResult): Pick<ScheduledRow, 'state' | 'note'> | null {
  if (result.kind === 'published')
    return { state: 'published', note: `Version ${result.version}.` };
  if (result.kind === 'unchanged') {
    return { state: 'published', note: 'These documents were already live.' };
  }
  if (result.kind === 'conflict') return null;
  if (result.kind === 'unsellable') return refusal(result.reason);
  return refusal(`No longer valid: ${result.errors.slice(0, 5).join('; ')}`);
}

const refusal = (problem: string): Pick<ScheduledRow, 'state' | 'note'> => ({
  state: 'refused',
  note: `Nothing was published, because ${problem}. Review the change and schedule it again.`,
});

/** Checked again because a role can be withdrawn. With the sign-in link of `npm start` everybody is an owner. */
function mayPublish(env: Env, { operator, by_person }: ScheduledRow): boolean {
  const mode = consoleMode(env);
  if (by_person === 0 || mode === 'link') return true;
  const role = mode && roleOf(env.CONSOLE_ROLES ?? '', operator);
  return role !== null && may(role, 'publish');
}

async function refuse(
  env: Pick<Stores, 'DB'>,
  { id, kind }: Pick<ScheduledRow, 'id' | 'kind'>,
  problem: string,
  log: Log,
): Promise<void> {
  await updateScheduled(env.DB, { id, ...refusal(problem) });
  log('warn', 'scheduled_publication_refused', { document: kind });
}

async function publishRow(env: Env, row: ScheduledRow, now: number, log: Log): Promise<void> {
  const { id, kind, operator: who, reason } = row;
  if (!mayPublish(env, row)) {
    const note = `Nothing was published, because ${who} may no longer publish. Somebody with the right to publish must schedule it again.`;
    await updateScheduled(env.DB, { id, state: 'refused', note });
    return log('warn', 'scheduled_publication_refused', { document: kind });
  }
  if (kind === 'content') await loadTexts(env, log);
  const set = setOf(kind);
  const differences = JSON.parse(row.differences) as string[];
  try {
    const kv = namespaceKv(env.FUNNEL);
    const live = await liveDocuments(set, kv, env.DB, now);
    const merged = withChanges(live.documents, JSON.parse(row.changes) as DocumentChange[]);
    if (merged.kind === 'conflict') return await refuse(env, row, conflictIn(merged.paths), log);
    const next = merged.documents;
    const ask = questionOf(set, env, next);
    const change = { next, base: live.fingerprint, who, now: new Date(now), ask };
    const details = { scheduled: id, base: live.fingerprint, differences };
    const result = await publishAudited(set, kv, env.DB, change, { details, reason });
    if (result.kind === 'published') await confirmWritten(set, env.DB, live.documents, next);
    // Thrown, so that it is retried for an hour as any other failure.
    if (result.kind === 'unsellable' && result.isTemporary) throw new Error(result.reason);
    const end = noteOf(result);
    if (end) await updateScheduled(env.DB, { id, ...end });
    if (end?.state === 'refused') log('warn', 'scheduled_publication_refused', { document: kind });
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

/** Refuses pending publications that conflict with the live documents, so that their editors do not wait for them. */
async function refuseBlocked(env: Env, now: number, log: Log): Promise<void> {
  for (const kind of ['config', 'content'] as const) {
    const rows = await pendingPublications(env.DB, kind);
    if (rows.length === 0) continue;
    const live = await liveDocuments(setOf(kind), namespaceKv(env.FUNNEL), env.DB, now);
    // Whether the rest is valid is checked at the time of each.
    for (const { row, problem } of blockedPublications(live.documents, rows, () => [])) {
      await refuse(env, row, problem, log);
    }
  }
}

/** The cron publishes what is due, and stores documents that visitors do not get. @returns how many were due */
export async function runDuePublications(env: Env, now: number, log: Log): Promise<number> {
  const count = await publishDue(env, now, log);
  await refuseBlocked(env, now, log);
  await recordRefused(env.FUNNEL, now);
  return count;
}
