import { decimal } from '../../../locales/format/currency.ts';
import type { Fees, MoneyDifference } from '../../payments/purchase/settlement.ts';
import type { GatewayName } from '../../payments/purchase/state.ts';
import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts';
import type { Finding } from './alarm-kinds.ts';

/** One gateway's reconciliation of one day. Times are ms since 1970. */
export interface NightlyResult {
  gateway: GatewayName;
  /** UTC, `2026-11-22`. */
  day: string;
  startedAt: number;
  /** Null while it is under way. */
  finishedAt: number | null;
  /** Where to resume; null at the beginning. */
  cursor: string | null;
  phase: 'events' | 'booked' | 'ledger' | 'payouts';
  compared: number;
  /** Events that had no webhook. */
  fetchedEvents: number;
  differences: MoneyDifference[];
  /** The provider's fee; missing if not reported. */
  fees?: Fees;
}

export function sumOfFees(one: Fees, other: Fees): Fees {
  const sum: Record<string, number> = { ...one };
  for (const [currency, amount] of Object.entries(other)) {
    sum[currency] = (sum[currency] ?? 0) + amount;
  }
  return sum;
}

const words: Record<MoneyDifference['kind'], string> = {
  captured_unsold: 'captured, nothing sold',
  sold_uncaptured: 'sold, not captured',
  unknown_payment: 'unknown payments',
  amount_differs: 'other amounts',
  payout_differs: 'payouts that do not add up',
};

/** The hour (UTC) by which charges before midnight are booked. */
const startHour = 3;
const lateHours = 6;
/** After a longer outage, `npm run ops -- check` compares the rest. */
const maxLateDays = 7;
const shownIds = 3;

/** UTC. Ms since 1970, `to` excluded. */
export function utcDay(day: string): { from: number; to: number } {
  const from = Date.parse(`${day}T00:00:00Z`);
  return { from, to: from + dayMs };
}

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Adds the day to compare now, the oldest first; of the finished days only the newest is kept. */
export function withDueDays(
  results: readonly NightlyResult[],
  gateways: readonly GatewayName[],
  now: number,
): NightlyResult[] {
  const yesterday = dayAt(now - dayMs);
  const isNight = new Date(now).getUTCHours() >= startHour;
  return gateways.flatMap((gateway) => {
    const own = results.filter((result) => result.gateway === gateway);
    const last = own.findLast(({ finishedAt }) => finishedAt !== null);
    const unfinished = own.find(({ finishedAt }) => finishedAt === null);
    const before = last ? [last] : [];
    if (unfinished) return [...before, unfinished];
    const following = last && Math.max(Date.parse(last.day) + dayMs, now - maxLateDays * dayMs);
    const day = following ? dayAt(following) : yesterday;
    if (day > yesterday || (day === yesterday && !isNight)) return before;
    const due: NightlyResult = {
      gateway,
      day,
      startedAt: now,
      finishedAt: null,
      cursor: null,
      phase: 'events',
      compared: 0,
      fetchedEvents: 0,
      differences: [],
    };
    return [...before, due];
  });
}

const amountOf = ({ provider, ledger }: MoneyDifference) =>
  Math.abs((provider ?? 0) - (ledger ?? 0));

/** Such as `captured, nothing sold: 2 payments, 13.98 USD (pi_1, pi_2)`. */
export function differencesInWords(differences: readonly MoneyDifference[]): string {
  const groups = Map.groupBy(differences, ({ kind, currency }) => `${kind} ${currency}`);
  return [...groups.values()]
    .map((group) => {
      const { kind = 'amount_differs', currency = '' } = group[0] ?? {};
      const sum = group.reduce((total, one) => total + amountOf(one), 0);
      const ids = group.slice(0, shownIds).map(({ id }) => id);
      const more = group.length > shownIds ? ', …' : '';
      return `${words[kind]}: ${group.length}, ${decimal(sum, currency)} ${currency} (${ids.join(', ')}${more})`;
    })
    .join('; ');
}

/** @param minute since 1970 */
export function reconciliationFindings(
  results: readonly NightlyResult[],
  minute: number,
): Finding[] {
  const now = minute * minuteMs;
  const certain = { segment: '', zScore: Number.POSITIVE_INFINITY };
  return results.flatMap((result): Finding[] => {
    const { gateway, day, finishedAt, startedAt, differences } = result;
    const area = `reconciliation:${gateway}`;
    const since = Math.floor((finishedAt ?? startedAt) / minuteMs);
    if (differences.length > 0 && finishedAt !== null) {
      const detail = `${day}: ${differencesInWords(differences)}`;
      return [{ ...certain, kind: 'reconciliation_differs', area, detail, since }];
    }
    if (finishedAt !== null || now - startedAt < lateHours * hourMs) return [];
    const detail = `${day} is not compared after ${lateHours} hours`;
    return [{ ...certain, kind: 'reconciliation_late', area, detail, since }];
  });
}
