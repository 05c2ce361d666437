import type { D1Database } from '@cloudflare/workers-types';
import { namespaceKv } from '../../documents/kv.ts';
import { configSet } from '../../experiments/config-set.ts';
import { experimentFacts } from '../../experiments/results-table.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { harmfulArms, noFacts } from '../../experiments/rules/guardrails.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import { liveDocuments, publishAudited } from '../publishing/publish-documents.ts';
import { type ArmStop, type RunningTest, runningTests, withStop } from './rules/arm-stop.ts';

const everyMinutes = 10;
const operator = 'guardrail';

const nameOf = ({ experiment, variant }: ArmStop) => `${experiment}:${variant}`;

/** An arm that somebody started again is not stopped a second time. */
async function stoppedBefore(db: D1Database): Promise<Set<string>> {
  const { results } = await db
    .prepare(
      `SELECT details ->> 'stops' AS stops FROM audit
       WHERE target = ?1 AND action = 'publish' AND operator = ?2 AND result LIKE 'published %'`,
    )
    .bind(configSet.name, operator)
    .all<{ stops: string }>();
  return new Set(results.flatMap(({ stops }) => (JSON.parse(stops) as ArmStop[]).map(nameOf)));
}

async function harmIn(db: D1Database, { experiment, arms }: RunningTest): Promise<ArmStop[]> {
  const facts = await experimentFacts(db, experiment);
  const known = arms.map((key) => facts.find(({ arm }) => arm === key) ?? noFacts(key));
  return harmfulArms(known).map((harm) => ({ experiment, ...harm }));
}

const sentence = (stops: readonly ArmStop[]) =>
  stops
    .map((stop) => `${stop.guardrail} of ${nameOf(stop)} are worse than the control’s.`)
    .join(' ');

/** The cron publishes the documents without arms that are worse than their control beyond doubt. @param now ms since 1970 */
export async function stopHarmfulArms(env: Env, now: number, log: Log): Promise<void> {
  if (Math.floor(now / minuteMs) % everyMinutes !== 0) return;
  const kv = namespaceKv(env.FUNNEL);
  const live = await liveDocuments(configSet, kv, env.DB, now);
  const { set } = validateDocuments(live.documents);
  const tests = set ? runningTests(set, now) : [];
  const found = (await Promise.all(tests.map((test) => harmIn(env.ANALYTICS, test)))).flat();
  if (found.length === 0) return;
  const before = await stoppedBefore(env.DB);
  const stops = found.filter((stop) => !before.has(nameOf(stop)));
  if (stops.length === 0) return;
  const next = stops.reduce((documents, stop) => withStop(documents, stop, now), live.documents);
  const change = { next, base: live.fingerprint, who: operator, now: new Date(now) };
  const audit = {
    details: { stops, differences: configSet.differences(live.documents, next) },
    reason: `${sentence(stops)} To go on with an arm, give it a share again.`,
  };
  const { kind } = await publishAudited(configSet, kv, env.DB, change, audit);
  for (const { experiment, variant } of stops)
    log('warn', 'arm_stopped', { name: experiment, arm: variant, state: kind });
}
