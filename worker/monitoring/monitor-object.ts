import { DurableObject } from 'cloudflare:workers';
import { minuteMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import type { MinuteReport, MonitorState, SeenVersion } from './monitor-state.ts';
import { RecordedCounts } from './recorded-counts.ts';
import { hourMinutes, pastWeeks, type SeriesCounts, weekHours } from './rules/counts.ts';
import type { Incident } from './rules/incidents.ts';
import type { NightlyResult } from './rules/nightly-result.ts';
import type { KnownRisks } from './rules/risk-findings.ts';
import type { RollupTotals } from './rules/rollup-growth.ts';
import type { Check } from './rules/walks.ts';

const versionMinutes = 15;
/** Longer than an invocation of the cron handler may take. */
const nightlyLeaseMs = 15 * minuteMs;

/** The single object that counts, decides about alarms, and sends them. */
export class Monitor extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;
  readonly #counts = new RecordedCounts(this.#kv);

  #get<T>(key: string, fallback: T): T {
    return this.#kv.get<T>(key) ?? fallback;
  }

  count(tally: SeriesCounts): void {
    this.#counts.addLater(tally, Math.floor(Date.now() / minuteMs));
  }

  /** Hours of past weeks that are not stored here, newest first; they are read from the rollups. */
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

  /** Loaded with the first minute, because isolates that serve visitors do not need this code. */
  async watch(report: MinuteReport): Promise<void> {
    const { MinuteWatch } = await import('./minute-watch.ts');
    await new MinuteWatch({ kv: this.#kv, counts: this.#counts, env: this.env }).watch(report);
  }

  #snoozes(): Record<string, number> {
    return this.#get<Record<string, number>>('snoozedUntil', {});
  }

  /** @param until minutes since 1970; 0 ends it */
  snooze(area: string, until: number): void {
    this.#kv.put('snoozedUntil', { ...this.#snoozes(), [area]: until });
  }

  /** For one invocation at a time, because it may last over a minute. @returns null while another one has it */
  claimNightly(): NightlyResult[] | null {
    if (this.#get('nightlyClaimedAt', 0) > Date.now() - nightlyLeaseMs) return null;
    this.#kv.put('nightlyClaimedAt', Date.now());
    return this.#get<NightlyResult[]>('nightly', []);
  }

  saveNightly(results: NightlyResult[]): void {
    this.#kv.put('nightly', results);
    this.#kv.put('nightlyClaimedAt', 0);
  }

  /** Counts of log lines and browser reports of the last hours, oldest first. */
  loggedHours(count: number): SeriesCounts[] {
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
