import { minuteMs } from './durations.ts';
import type { Env } from './env.ts';
import type { Level, LogFields } from './log-fields.ts';
import { sleep } from './with-timeout.ts';

/** A slower call makes a buyer wait; a later webhook leaves an account out of date. */
const slowCallMs = 5_000;
const lateWebhookMs = 5 * minuteMs;
/** Attempts, mails and requests of the synthetic visitor have this arm and are not counted. */
export const syntheticArm = 'synthetic';

type Counted = (fields: LogFields) => readonly string[];

/** A step of an attempt is one call of its gateway. */
const callSeries: Counted = ({ vendor, reason, ms = 0 }) => [
  `call|${vendor}|made`,
  ...(ms > slowCallMs ? [`call|${vendor}|slow`] : []),
  ...(reason === 'unknown' || reason === 'unavailable' ? [`call|${vendor}|failed`] : []),
];

/** Final states of a message that was not delivered because of us or the vendor. */
const refusedStates = new Set(['refused', 'malformed']);

const messageSeries =
  (name: 'email' | 'sms'): Counted =>
  ({ state = '' }) => {
    if (state === 'undeliverable' || state === 'postponed') return [];
    return [`${name}|tried`, ...(refusedStates.has(state) ? [`${name}|refused`] : [])];
  };

const maxHosts = 10;
/** Anyone may report any host, so an isolate counts only the first ones by name. */
const hosts = new Set<string>();

function refusedHost({ directive, vendor, reason = '' }: LogFields): string[] {
  if (!directive) return [];
  const source = vendor ?? reason.split(' ', 1)[0] ?? '';
  if (hosts.size < maxHosts) hosts.add(source);
  return [`csp|${hosts.has(source) ? source : 'other'}|${directive}`];
}

/** The series of `monitoring` in which a log line counts. */
const countedEvents: Readonly<Record<string, Counted>> = {
  request: ({ status = 0, version }) => {
    const series = status >= 500 ? ['request|served', 'request|failed'] : ['request|served'];
    return [...series, ...series.map((name) => `${name}|${version}`)];
  },
  purchase_attempt_changed: callSeries,
  webhook_received: ({ vendor, ms = 0 }) => [
    `webhook|${vendor}|received`,
    ...(ms > lateWebhookMs ? [`webhook|${vendor}|late`] : []),
  ],
  // No operator is needed if it was already refunded.
  captured_without_purchase: ({ vendor, state }) => (state === 'kept' ? [`unsold|${vendor}`] : []),
  unannounced_charge: ({ vendor }) => [`unannounced|${vendor}`],
  dead_letters_stored: ({ queue = '' }) => [`dead_letter|${queue.replace(/-dead$/, '')}`],
  config_refused: () => ['config_refused'],
  scheduled_publication_refused: () => ['publication_refused'],
  circuit_changed: ({ vendor, state }) => (state === 'open' ? [`circuit|${vendor}`] : []),
  entitlement_endpoint_disabled: () => ['endpoint_disabled|entitlements'],
  browser_report_received: refusedHost,
  email_processed: messageSeries('email'),
  email_failed: () => ['email|tried', 'email|failed'],
  sms_processed: messageSeries('sms'),
  sms_failed: () => ['sms|tried', 'sms|failed'],
};

const reportEveryMs = 5_000;
/** For responses, which are so frequent that every isolate would report constantly. */
const routineReportEveryMs = 30_000;
const isRoutine = (series: string) => series.startsWith('request|served');
/** Calling an object costs a new isolate 7 ms, and the page is sent first. */
const reportDelayMs = 100;
const maxSeries = 1_000;

/** Counts of log lines that the monitor does not have yet. */
export class UnreportedCounts {
  private readonly counts = new Map<string, number>();
  private reportedAt = 0;

  add(series: string): void {
    if (this.counts.size >= maxSeries && !this.counts.has(series)) return;
    this.counts.set(series, (this.counts.get(series) ?? 0) + 1);
  }

  report(env: Env, atOnce: boolean): Promise<void> | null {
    return this.counts.size > 0 && (atOnce || this.isDue()) ? this.send(env, atOnce) : null;
  }

  private isDue(): boolean {
    const since = Date.now() - this.reportedAt;
    if (since >= routineReportEveryMs) return true;
    return since >= reportEveryMs && ![...this.counts.keys()].every(isRoutine);
  }

  private async send(env: Env, atOnce: boolean): Promise<void> {
    this.reportedAt = Date.now();
    if (!atOnce) await sleep(reportDelayMs);
    // Another report may have taken the counts.
    if (this.counts.size === 0) return;
    const counts = Object.fromEntries(this.counts);
    this.counts.clear();
    try {
      await env.MONITOR.getByName('monitor').count(counts);
    } catch {
      // Later counts are sent as usual.
    }
  }
}

const ofIsolate = new UnreportedCounts();

export function countLine(level: Level, event: string, fields: LogFields): void {
  if (level === 'warn' || level === 'error') countSeries(`log|${level}|${event}`);
  const counted = Object.hasOwn(countedEvents, event) ? countedEvents[event] : undefined;
  if (!counted || fields.arm === syntheticArm) return;
  for (const series of counted(fields)) countSeries(series);
}

export const countSeries = (series: string): void => ofIsolate.add(series);

/**
 * Sends the counts of this isolate's log lines to the monitor, at most every five seconds unless `atOnce`, and
 * every thirty if only responses were counted: an object may sleep before its next line. Never throws, because
 * losing counts is better than failing a purchase.
 *
 * @returns null when nothing has to be sent now, so that a response waits for nothing
 */
export const reportToMonitor = (env: Env, atOnce = false): Promise<void> | null =>
  ofIsolate.report(env, atOnce);
