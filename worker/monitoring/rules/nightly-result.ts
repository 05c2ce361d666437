import type { Finding } from './alarm-kinds.ts';

export interface MoneyDifference {
  kind:
    | 'captured_unsold'
    | 'sold_uncaptured'
    | 'unknown_payment'
    | 'amount_differs'
    | 'payout_differs';
  /** The provider's id of the payment, refund, dispute or payout. */
  id: string;
  /** Null for a payment that names no attempt of ours. */
  attempt: string | null;
  currency: string;
  /** Minor units; null where that side does not know it. */
  provider: number | null;
  ledger: number | null;
}

/** One gateway's reconciliation of one day. Times are ms since 1970. */
export interface NightlyResult {
  gateway: string;
  /** UTC, `2026-11-22`. */
  day: string;
  startedAt: number;
  /** Null while it is under way. */
  finishedAt: number | null;
  /** Where to go on; null at the beginning. */
  cursor: string | null;
  phase: 'events' | 'booked' | 'ledger' | 'payouts' | 'done';
  compared: number;
  /** Events that no webhook had brought. */
  fetchedEvents: number;
  differences: MoneyDifference[];
}

const words: Record<MoneyDifference['kind'], string> = {
  captured_unsold: 'captured, nothing sold',
  sold_uncaptured: 'sold, not captured',
  unknown_payment: 'unknown payments',
  amount_differs: 'other amounts',
  payout_differs: 'payouts that do not add up',
};

/** Nightly work begins at 3:00 UTC. */
export const startHour = 3;
const lateHours = 6;
const dayMs = 24 * 60 * 60_000;
const shownIds = 3;

export const dayBefore = (now: number): string => new Date(now - dayMs).toISOString().slice(0, 10);

const amountOf = ({ provider, ledger }: MoneyDifference) =>
  Math.abs((provider ?? 0) - (ledger ?? 0));

/** Such as `captured, nothing sold: 2 payments, 13.98 USD (pi_1, pi_2)`. */
export function differencesInWords(differences: readonly MoneyDifference[]): string {
  const groups = Map.groupBy(differences, ({ kind, currency }) => `${kind} ${currency}`);
  return [...groups.values()]
    .map((group) => {
      const { kind = 'amount_differs', currency = '' } = group[0] ?? {};
      const sum = group.reduce((total, one) => total + amountOf(one), 0) / 100;
      const ids = group.slice(0, shownIds).map(({ id }) => id);
      const more = group.length > shownIds ? ', …' : '';
      return `${words[kind]}: ${group.length}, ${sum.toFixed(2)} ${currency} (${ids.join(', ')}${more})`;
    })
    .join('; ');
}

/** @param minute since 1970 */
export function reconciliationFindings(
  results: readonly NightlyResult[],
  minute: number,
): Finding[] {
  const now = minute * 60_000;
  const certain = { segment: '', surprise: Number.POSITIVE_INFINITY };
  return results.flatMap((result): Finding[] => {
    const { gateway, day, finishedAt, startedAt, differences } = result;
    const area = `reconciliation:${gateway}`;
    const since = Math.floor((finishedAt ?? startedAt) / 60_000);
    if (differences.length > 0 && finishedAt !== null) {
      const detail = `${day}: ${differencesInWords(differences)}`;
      return [{ ...certain, kind: 'reconciliation_differs', area, detail, since }];
    }
    if (finishedAt !== null || now - startedAt < lateHours * 3_600_000) return [];
    const detail = `${day} is not compared after ${lateHours} hours`;
    return [{ ...certain, kind: 'reconciliation_late', area, detail, since }];
  });
}
