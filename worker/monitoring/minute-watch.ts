import type { SyncKvStorage } from '@cloudflare/workers-types';
import { minuteMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { logger } from '../platform/log.ts';
import type { MinuteReport, SeenVersion } from './monitor-state.ts';
import type { RecordedCounts } from './recorded-counts.ts';
import type { Finding } from './rules/alarm-kinds.ts';
import type { Counts } from './rules/counts.ts';
import { findingsIn } from './rules/findings.ts';
import { advanceIncidents, type Incident, openIncidents } from './rules/incidents.ts';
import { isQuietAt, phaseDue } from './rules/messages.ts';
import { type NightlyResult, reconciliationFindings } from './rules/nightly-result.ts';
import { type KnownRisks, latestRisks, riskFindings } from './rules/risk-findings.ts';
import { blindnessFindings, type RollupTotals, rollupGrowth } from './rules/rollup-growth.ts';
import { datedSplits, type Split, sampleRatioFindings } from './rules/sample-ratio.ts';
import { stopFindings } from './rules/stop-findings.ts';
import { vitalsFindings } from './rules/vitals.ts';
import { type Check, keepChecks, walkFindings } from './rules/walks.ts';
import { channelsOf, sendAlarm } from './send-alarm.ts';

const log = logger();

/** Isolates read a published configuration within a minute. */
const splitDelayMinutes = 3;
const keptVersionsMs = 24 * 60 * minuteMs;

interface WatchDependencies {
  kv: SyncKvStorage;
  counts: RecordedCounts;
  env: Env;
}

/** Evaluates a minute: alarms that open and clear, and the messages to send. */
export class MinuteWatch {
  readonly #dependencies: WatchDependencies;

  constructor(dependencies: WatchDependencies) {
    this.#dependencies = dependencies;
  }

  #get<T>(key: string, fallback: T): T {
    return this.#dependencies.kv.get<T>(key) ?? fallback;
  }

  async watch(report: MinuteReport): Promise<void> {
    const { minute, checks, totals } = report;
    const now = minute * minuteMs;
    this.#dependencies.counts.addUp(minute);
    this.#addRollups(totals, minute);
    const risks = this.#get<KnownRisks[]>('risks', []);
    this.#dependencies.kv.put('risks', latestRisks(risks, report.risks ?? []));
    this.#dependencies.kv.put('checks', keepChecks(this.#get<Check[]>('checks', []), checks, now));
    this.#dependencies.kv.put('watchedAt', now);
    this.#see(report.version, now);
    const before = this.#get<Incident[]>('incidents', []);
    const areas = new Set(openIncidents(before).map(({ area }) => area));
    const findings = this.#findings(this.#dependencies.counts.read(minute), areas, report);
    const after = advanceIncidents(before, findings, minute);
    this.#dependencies.kv.put('incidents', after);
    this.#logChanges(before, after);
    await this.#sendAlarms(minute);
  }

  #findings(counts: Counts, areas: ReadonlySet<string>, report: MinuteReport): Finding[] {
    const { minute } = report;
    const versions = this.#get<SeenVersion[]>('versions', []);
    const deployedAt = Math.max(0, ...versions.map(({ firstSeenAt }) => firstSeenAt)) / minuteMs;
    const nightly = this.#get<NightlyResult[]>('nightly', []);
    return [
      ...findingsIn(counts, minute, areas),
      ...vitalsFindings(counts, minute, deployedAt),
      ...sampleRatioFindings(counts, minute, this.#splits(report)),
      ...stopFindings(report.stops ?? [], minute),
      ...walkFindings(this.#get<Check[]>('checks', []), minute * minuteMs),
      ...reconciliationFindings(nightly, minute),
      ...riskFindings(this.#get<KnownRisks[]>('risks', []), minute),
      ...blindnessFindings(minute, this.#get<number>('readAt', minute)),
    ];
  }

  /** Rollups are sums of whole hours; their growth since the last minute counts for that minute. */
  #addRollups(totals: RollupTotals | null, minute: number): void {
    if (!totals) return;
    const before = this.#get<RollupTotals | null>('totals', null);
    this.#dependencies.kv.put('totals', totals);
    this.#dependencies.kv.put('readAt', minute);
    if (!before) return;
    this.#dependencies.counts.add(rollupGrowth(before, totals), minute - 1);
  }

  #splits({ splits, minute }: MinuteReport): Split[] {
    const known = this.#get<Split[]>('splits', []);
    const current = datedSplits(known, splits, minute + splitDelayMinutes);
    this.#dependencies.kv.put('splits', current);
    return current;
  }

  #see(version: string, now: number): void {
    const known = this.#get<SeenVersion[]>('versions', []);
    const others = known.filter((one) => one.version !== version);
    const { firstSeenAt = now } = known.find((one) => one.version === version) ?? {};
    const recent = others.filter(({ lastSeenAt }) => now - lastSeenAt < keptVersionsMs);
    this.#dependencies.kv.put('versions', [...recent, { version, firstSeenAt, lastSeenAt: now }]);
  }

  #logChanges(before: readonly Incident[], after: readonly Incident[]): void {
    for (const { id, area, kind, openedAt, clearedAt } of after) {
      const known = before.find((one) => one.id === id);
      const fields = { area, type: kind };
      if (openedAt !== null && !known?.openedAt) log('error', 'alarm_opened', fields);
      if (clearedAt !== null && !known?.clearedAt) log('info', 'alarm_cleared', fields);
    }
  }

  /** Each message is stored as sent before the next one is. */
  async #sendAlarms(minute: number): Promise<void> {
    const services = { env: this.#dependencies.env, log };
    const isQuiet = isQuietAt(services.env.ALARM_QUIET_HOURS, minute * minuteMs);
    const snoozedUntil = this.#get<Record<string, number>>('snoozedUntil', {});
    for (const channel of channelsOf(services.env)) {
      for (const incident of this.#get<Incident[]>('incidents', [])) {
        const phase = phaseDue(incident, channel.name, minute, { isQuiet, snoozedUntil });
        if (!phase || !(await sendAlarm(channel, incident, phase, services))) continue;
        const sent = `${channel.name}:${phase}`;
        const marked = this.#get<Incident[]>('incidents', []).map((one) =>
          one.id === incident.id ? { ...one, sent: [...one.sent, sent] } : one,
        );
        this.#dependencies.kv.put('incidents', marked);
      }
    }
  }
}
