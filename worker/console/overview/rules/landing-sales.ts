import {
  type Interval,
  meanInterval,
  minEvents,
  shareSample,
} from '../../../experiments/rules/always-valid.ts';
import { isDirect } from '../../../experiments/rules/landing.ts';
import { commonCurrency, type Reporting } from '../../../experiments/rules/reporting.ts';
import { revenueSample } from '../../experiments/rules/results.ts';
import type { LandingCount, PaymentCount } from '../overview-table.ts';
import type { ArmLanding } from '../slice-table.ts';
import { isNew, isSale, moneyOf } from './overview.ts';

interface Measured {
  value: number;
  /** Null with fewer than `minEvents` purchases. */
  interval: Interval | null;
}

interface LandingSales {
  /** Empty for counts without a known landing. */
  landing: string;
  visitors: number;
  purchases: number;
  /** Null without visitors. */
  share: Measured | null;
  /** Revenue of first payments per visitor, in minor units of the common currency; null without visitors or where a rate is missing. */
  revenue: Measured | null;
}

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);

export function sumsBy(rows: readonly PaymentCount[], value: (row: PaymentCount) => number) {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  return Object.fromEntries([...byCurrency].map(([name, own]) => [name, sum(own.map(value))]));
}

export function landingSales(
  visits: readonly LandingCount[],
  payments: readonly PaymentCount[],
  reporting: Reporting | null,
): { currency: string | null; rows: LandingSales[] } {
  const landingOf = ({ landing }: { landing: string }) => landing;
  const money = payments.filter((row) => moneyOf(row) !== 0 && isNew(row));
  const common = commonCurrency([...new Set(money.map(({ currency }) => currency))], reporting);
  const moneyBy = Map.groupBy(money, landingOf);
  const salesBy = Map.groupBy(payments.filter(isSale), landingOf);
  const visitsBy = Map.groupBy(visits, landingOf);
  // Buyers may have seen a landing that has had no visitor since.
  const landings = new Set([...visitsBy.keys(), ...salesBy.keys(), ...moneyBy.keys()]);
  const rows = [...landings].map((landing): LandingSales => {
    const visitors = sum((visitsBy.get(landing) ?? []).map((row) => row.visits));
    const purchases = sum((salesBy.get(landing) ?? []).map(({ count }) => count));
    const own = moneyBy.get(landing) ?? [];
    const squares = sumsBy(own, (row) => row.squares);
    const paid =
      common && visitors > 0
        ? revenueSample({ visitors, revenue: sumsBy(own, moneyOf), squares }, common.factors)
        : null;
    const isEnough = purchases >= minEvents;
    const share = visitors > 0 ? shareSample(Math.min(purchases, visitors), visitors) : null;
    return {
      landing,
      visitors,
      purchases,
      share: share && { value: share.mean, interval: isEnough ? meanInterval(share) : null },
      revenue: paid && { value: paid.mean, interval: isEnough ? meanInterval(paid) : null },
    };
  });
  return {
    currency: common?.currency ?? null,
    rows: rows.sort((a, b) => b.visitors - a.visitors),
  };
}

interface LandingTest {
  experiment: string;
  landings: string[];
  /** Why the comparison is not fair; null if it is. */
  unfair: 'mixed' | 'not stored' | null;
}

/**
 * Experiments whose variants showed different landings. A comparison is fair if the visitors of each variant, and of
 * each flow, saw the same first screen. Visitors who opened another page by its address are left out: all variants have
 * them.
 */
export function landingTests(arms: readonly ArmLanding[]): LandingTest[] {
  const shown = arms.filter(({ landing }) => !isDirect(landing));
  return [...Map.groupBy(shown, ({ experiment }) => experiment)]
    .map(([experiment, own]): LandingTest => {
      const landingsBy = (key: 'variant' | 'flow') =>
        [...Map.groupBy(own, (row) => row[key]).values()].map((rows) =>
          rows.map(({ landing }) => landing),
        );
      const groups = [...landingsBy('variant'), ...landingsBy('flow')];
      const known = new Set(own.flatMap(({ landing }) => landing || []));
      const isMixed = groups.some((all) => new Set(all.filter(Boolean)).size > 1);
      const isUnknown = own.some(({ landing }) => landing === '');
      const unfair = isMixed ? 'mixed' : isUnknown ? 'not stored' : null;
      return { experiment, landings: [...known].sort(), unfair };
    })
    .filter(({ landings }) => landings.length > 1);
}
