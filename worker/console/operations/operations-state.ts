import type { D1Database, Queue, R2Bucket } from '@cloudflare/workers-types';
import { liveVersion, readVersions } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { readLive } from '../../documents/live-documents.ts';
import { configSet, validated } from '../../experiments/config-set.ts';
import { monitorOf } from '../../monitoring/monitoring-api.ts';
import { queueBindings } from '../../operators/dead-letters.ts';
import { everyAccountDatabase } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { lastRefused, type RefusedDocuments } from '../publishing/refused-documents.ts';
import { type Checked, checkedState } from './status.ts';

const loggedHours = 24;

interface PartState {
  name: string;
  technical: string;
  /** Null when it did not respond. */
  detail: string | null;
}

interface QueueState {
  name: string;
  /** Null where the platform does not report it, as in local development. */
  backlog: number | null;
  /** Ms since 1970. */
  oldestAt: number | null;
}

export interface OperationsState extends Checked {
  parts: PartState[];
  /** Why the documents in KV are not served; empty when they are. */
  refused: string;
  /** The last documents that were refused. */
  lastRefused: RefusedDocuments | null;
  queues: QueueState[];
  logged: Record<string, number>[];
}

export const noFiles = 'nothing stored yet';

/** A database holds at most 10 GB. */
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB of 10 GB`;

/** For several databases: their number and the size of the largest. */
async function d1Detail(...databases: D1Database[]): Promise<string> {
  const answers = await Promise.all(databases.map((db) => db.prepare('SELECT 1').run()));
  const size = Math.max(...answers.map(({ meta }) => meta.size_after ?? 0));
  const detail = size > 0 ? megabytes(size) : 'responds';
  return databases.length === 1 ? detail : `${databases.length} databases, the largest: ${detail}`;
}

async function r2Detail(bucket: R2Bucket): Promise<string> {
  const { objects } = await bucket.list({ limit: 1 });
  return objects.length > 0 ? 'has files' : noFiles;
}

const log = logger();

const orNull = <T>(binding: string, detail: Promise<T>): Promise<T | null> =>
  detail.catch(unanswered(log, binding, null));

async function kvState(env: Env): Promise<{ detail: string; refused: string }> {
  const kv = namespaceKv(env.FUNNEL);
  const [live, versions] = await Promise.all([
    readLive(kv, configSet),
    readVersions(kv, configSet),
  ]);
  const version = liveVersion(versions, live);
  const [problem] = validated(live.documents).problems;
  return {
    detail: version ? `version ${version.id}` : 'built in or by hand',
    refused: problem ? `${problem.key} ${problem.path}: ${problem.reason}` : '',
  };
}

/** Local queues have no metrics. */
async function queueState(name: string, queue: Queue<unknown>): Promise<QueueState> {
  try {
    const { backlogCount, oldestMessageTimestamp } = await queue.metrics();
    const oldestAt = oldestMessageTimestamp?.getTime() ?? null;
    return { name, backlog: backlogCount, oldestAt };
  } catch {
    return { name, backlog: null, oldestAt: null };
  }
}

export async function operationsState(env: Env): Promise<OperationsState> {
  const [checked, kv, db, analytics, events, tiles, rejected, logged] = await Promise.all([
    checkedState(env),
    orNull('FUNNEL', kvState(env)),
    orNull('DB', d1Detail(...everyAccountDatabase(env))),
    orNull('ANALYTICS', d1Detail(env.ANALYTICS)),
    orNull('EVENTS', r2Detail(env.EVENTS)),
    orNull('TILES', r2Detail(env.TILES)),
    orNull('FUNNEL', lastRefused(namespaceKv(env.FUNNEL))),
    orNull('MONITOR', monitorOf(env).loggedHours(loggedHours)),
  ]);
  const { health, monitor } = checked;
  const isBuying = health.bindings.purchases === 'ok';
  return {
    ...checked,
    parts: [
      { name: 'Settings and texts', technical: 'KV', detail: kv?.detail ?? null },
      { name: 'Accounts and payments', technical: 'D1', detail: db },
      { name: 'Counts of visits and money', technical: 'D1', detail: analytics },
      { name: 'Archive of events', technical: 'R2', detail: events },
      { name: 'Street maps', technical: 'R2', detail: tiles },
      { name: 'Purchases', technical: 'Durable Objects', detail: isBuying ? 'responds' : null },
      {
        name: 'Record of alarms',
        technical: 'Durable Object',
        detail: monitor ? 'responds' : null,
      },
    ],
    refused: kv?.refused ?? '',
    lastRefused: rejected,
    queues: await Promise.all(
      [...queueBindings].map(([name, binding]) => queueState(name, env[binding])),
    ),
    logged: logged ?? [],
  };
}
