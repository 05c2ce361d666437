import { hourMs, minuteMs } from '../../platform/durations.ts';
import type { Finding } from './alarm-kinds.ts';

export interface Check {
  version: string;
  market: string;
  gateway: string;
  /** ms since 1970. */
  at: number;
  ms: number;
  ok: boolean;
  /** The last step that was attempted, such as `checkout`. */
  step: string;
  /** Why that step failed, such as `status 503`; empty when the walk succeeded. */
  reason: string;
  /** Whether it also bought and refunded, as in test mode. */
  bought: boolean;
}

/** One failure may be a deploy under way, so an alarm needs two in a row. */
const failuresInARow = 2;
/** A check result older than this is ignored. */
const staleMs = 10 * minuteMs;
const keptPerWalk = 20;

const walkOf = ({ version, market, gateway }: Check) => `${version} ${market} ${gateway}`;

/** Keeps the newest of each walk, oldest first. */
export function keepChecks(
  before: readonly Check[],
  newChecks: readonly Check[],
  now: number,
): Check[] {
  const all = [...before, ...newChecks].filter(({ at }) => now - at < hourMs);
  const count = new Map<string, number>();
  return all
    .toReversed()
    .filter((check) => {
      const seen = (count.get(walkOf(check)) ?? 0) + 1;
      count.set(walkOf(check), seen);
      return seen <= keptPerWalk;
    })
    .reverse();
}

const paymentSteps = new Set(['provider', 'buy', 'refund']);

const areaOf = ({ step, gateway }: Check) => {
  if (paymentSteps.has(step)) return `payment:${gateway}`;
  return step === 'signup' ? 'step:signup' : 'pages';
};

export function walkFindings(checks: readonly Check[], now: number): Finding[] {
  const walks = Map.groupBy(
    checks.filter(({ at }) => now - at < staleMs),
    walkOf,
  );
  const failing = [...walks.values()].flatMap((walk) => {
    const last = walk.slice(-failuresInARow);
    const failed = last.length === failuresInARow && last.every(({ ok }) => !ok);
    return failed ? last.slice(-1) : [];
  });
  return [...Map.groupBy(failing, areaOf)].map(([area, failed]) => {
    const where = failed.map(({ market, gateway }) => `${market} ${gateway}`).join(', ');
    const reasons = new Set(failed.map(({ step, reason }) => `${step}: ${reason}`));
    const since = Math.min(...failed.map(({ at }) => at));
    return {
      kind: 'walk_failed' as const,
      area,
      segment: failed.length === walks.size ? '' : where,
      detail: `${[...reasons].join('; ')} (${where})`,
      zScore: Number.POSITIVE_INFINITY,
      since: Math.floor(since / minuteMs) - (failuresInARow - 1),
    };
  });
}
