import type { StoppedArm } from '../experiments/rules/running-weights.ts';
import type { Incident } from './rules/incidents.ts';
import type { NightlyResult } from './rules/nightly-result.ts';
import type { KnownRisks } from './rules/risk-findings.ts';
import type { RollupTotals } from './rules/rollup-growth.ts';
import type { Split } from './rules/sample-ratio.ts';
import type { Check } from './rules/walks.ts';

/** The cron handler's results of one minute. */
export interface MinuteReport {
  /** Since 1970. */
  minute: number;
  version: string;
  checks: Check[];
  splits: Pick<Split, 'experiment' | 'weights'>[];
  stops?: StoppedArm[];
  /** Null when the rollups could not be read. */
  totals: RollupTotals | null;
  /** From the gateways that responded; null if none was called. */
  risks?: KnownRisks[] | null;
}

/** Times are ms since 1970. */
export interface SeenVersion {
  version: string;
  firstSeenAt: number;
  lastSeenAt: number;
}

interface VersionState extends SeenVersion {
  /** Responses in the last 15 minutes, and those of status 500 and above. */
  served: number;
  failed: number;
}

export interface MonitorState {
  /** When the cron handler last reported; null when it never did. */
  watchedAt: number | null;
  checks: Check[];
  incidents: Incident[];
  snoozedUntil: Record<string, number>;
  versions: VersionState[];
  nightly: NightlyResult[];
  risks: KnownRisks[];
}
