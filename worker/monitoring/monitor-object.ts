import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { logger } from '../log.ts';
import type { MinuteReport, MonitorState, SeenVersion } from './monitor-state.ts';
import { RecordedCounts } from './recorded-counts.ts';
import type { Finding } from './rules/alarm-kinds.ts';
import { type Counts, hourMinutes, pastWeeks, type Tally, weekHours } from './rules/counts.ts';
import { findingsIn } from './rules/findings.ts';
import { advanceIncidents, type Incident, openIncidents } from './rules/incidents.ts';
import { isQuietAt, phaseDue } from './rules/messages.ts';
import { type NightlyResult, reconciliationFindings } from './rules/nightly-result.ts';
import { type KnownRisks, latestRisks, riskFindings } from './rules/risk-findings.ts';
import { blindnessFindings, type RollupTotals, rollupGrowth } from './rules/rollup-growth.ts';
import { datedSplits, type Split, sampleRatioFindings } from './rules/sample-ratio.ts';
import { vitalsFindings } from './rules/vitals.ts';
import { type Check, keepChecks, walkFindings } from './rules/walks.ts';
import { channelsOf, sendAlarm } from './send-alarm.ts';

const log = logger();

const minuteMs = 60_000;
const versionMinutes = 15;
/** Isolates read a published configuration within a minute. */
const splitDelayMinutes = 3;
/** Longer than an invocation of the cron handler may take. */
const nightlyLeaseMs = 15 * minuteMs;
const keptVersionsMs = 24 * 60 * minuteMs;

/** The single object that counts, decides about alarms, and tells people. */
export class Monitor extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;
  readonly #counts = new RecordedCounts(this.#kv);

  #get<T>(key: string, fallback: T): T {
    return this.#kv.get<T>(key) ?? fallback;
  }

  count(tally: Tally): void {
    this.#counts.addLater(tally, Math.floor(Date.now() / minuteMs));
  }

  /** Hours of the past weeks that are not known here, newest first: seasons come from the rollups. */
  unknownHours(minute: number, count: number): number[] {
    const newest = Math.floor(minute / hourMinutes) - 3;
    const all = Array.from({ length: pastWeeks * weekHours }, (_, at) => newest - at);
    return all.filter((hour) => !this.#counts.hasHour(hour)).slice(0, count);
  }

  learnHours(hours: RollupTotals): void {
    for (const [hour, tally] of Object.entries(hours)) {
      this.#counts.addToHour(tally, Number(hour));
    }
  }

  async watch(report: MinuteReport): Promise<void> {
    const { minute, checks, totals } = report;
    const now = minute * minuteMs;
    this.#counts.settle(minute);
    this.#addRollups(totals, minute);
    const risks = this.#get<KnownRisks[]>('risks', []);
    this.#kv.put('risks', latestRisks(risks, report.risks ?? []));
    this.#kv.put('checks', keepChecks(this.#get<Check[]>('checks', []), checks, now));
    this.#kv.put('watchedAt', now);
    this.#see(report.version, now);
    const before = this.#get<Incident[]>('incidents', []);
    const areas = new Set(openIncidents(before).map(({ area }) => area));
    const findings = this.#findings(this.#counts.read(minute), areas, report);
    const after = advanceIncidents(before, findings, minute);
    this.#kv.put('incidents', after);
    this.#logChanges(before, after);
    await this.#tell(minute);
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
      ...walkFindings(this.#get<Check[]>('checks', []), minute * minuteMs),
      ...reconciliationFindings(nightly, minute),
      ...riskFindings(this.#get<KnownRisks[]>('risks', []), minute),
      ...blindnessFindings(minute, this.#get<number>('readAt', minute)),
    ];
  }

  /** Rollups are sums of whole hours: what they grew by since the last minute happened in it. */
  #addRollups(totals: RollupTotals | null, minute: number): void {
    if (!totals) return;
    const before = this.#get<RollupTotals | null>('totals', null);
    this.#kv.put('totals', totals);
    this.#kv.put('readAt', minute);
    if (!before) return;
    this.#counts.add(rollupGrowth(before, totals), minute - 1);
  }

  #splits({ splits, minute }: MinuteReport): Split[] {
    const known = this.#get<Split[]>('splits', []);
    const current = datedSplits(known, splits, minute + splitDelayMinutes);
    this.#kv.put('splits', current);
    return current;
  }

  #see(version: string, now: number): void {
    const known = this.#get<SeenVersion[]>('versions', []);
    const others = known.filter((one) => one.version !== version);
    const { firstSeenAt = now } = known.find((one) => one.version === version) ?? {};
    const recent = others.filter(({ lastSeenAt }) => now - lastSeenAt < keptVersionsMs);
    this.#kv.put('versions', [...recent, { version, firstSeenAt, lastSeenAt: now }]);
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
  async #tell(minute: number): Promise<void> {
    const isQuiet = isQuietAt(this.env.ALARM_QUIET_HOURS, minute * minuteMs);
    const snoozedUntil = this.#snoozes();
    for (const channel of channelsOf(this.env)) {
      for (const incident of this.#get<Incident[]>('incidents', [])) {
        const phase = phaseDue(incident, channel.name, minute, { isQuiet, snoozedUntil });
        if (!phase || !(await sendAlarm(channel, incident, phase, this.env, log))) continue;
        const sent = `${channel.name}:${phase}`;
        const marked = this.#get<Incident[]>('incidents', []).map((one) =>
          one.id === incident.id ? { ...one, sent: [...one.sent, sent] } : one,
        );
        this.#kv.put('incidents', marked);
      }
    }
  }

  #snoozes(): Record<string, number> {
    return this.#get<Record<string, number>>('snoozedUntil', {});
  }

  /** @param until minutes since 1970; 0 ends it */
  snooze(area: string, until: number): void {
    this.#kv.put('snoozedUntil', { ...this.#snoozes(), [area]: until });
  }

  /**
   * For one invocation at a time, because a minute's work may last longer than a minute.
   * @returns null while another one has it
   */
  takeNightly(): NightlyResult[] | null {
    if (this.#get('nightlyTakenAt', 0) > Date.now() - nightlyLeaseMs) return null;
    this.#kv.put('nightlyTakenAt', Date.now());
    return this.#get<NightlyResult[]>('nightly', []);
  }

  saveNightly(results: NightlyResult[]): void {
    this.#kv.put('nightly', results);
    this.#kv.put('nightlyTakenAt', 0);
  }

  /** What was counted of each version since then. @param since ms since 1970 */
  byVersion(since: number): Record<string, Tally> {
    return this.#counts.byVersion(Math.ceil(since / minuteMs));
  }

  /** Counts of log lines and browser reports of the last hours, oldest first. */
  loggedHours(count: number): Tally[] {
    const hour = Math.floor(Date.now() / minuteMs / hourMinutes);
    const isLogged = ([series]: [string, number]) => /^(log|csp)\|/.test(series);
    return this.#counts
      .hourly(hour - count + 1, hour)
      .map((tally) => Object.fromEntries(Object.entries(tally).filter(isLogged)));
  }

  state(): MonitorState {
    const minute = Math.floor(Date.now() / minuteMs) + 1;
    const counts = this.#counts.read(minute);
    const served = (what: string, version: string) =>
      counts.sum(`request|${what}|${version}`, minute - versionMinutes, minute);
    return {
      watchedAt: this.#get<number | null>('watchedAt', null),
      checks: this.#get<Check[]>('checks', []),
      incidents: this.#get<Incident[]>('incidents', []),
      snoozedUntil: this.#snoozes(),
      nightly: this.#get<NightlyResult[]>('nightly', []),
      risks: this.#get<KnownRisks[]>('risks', []),
      versions: this.#get<SeenVersion[]>('versions', []).map((seen) => ({
        ...seen,
        served: served('served', seen.version),
        failed: served('failed', seen.version),
      })),
    };
  }
}
