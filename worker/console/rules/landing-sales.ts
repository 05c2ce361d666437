import {
  type Interval,
  meanInterval,
  minEvents,
  shareSample,
} from '../../experiments/rules/always-valid.ts';
import { commonCurrency, type Reporting } from '../../experiments/rules/reporting.ts';
import type { FlowCount, PaymentCount } from '../overview/overview-table.ts';
import type { ArmFlow } from '../overview/slice-table.ts';
import { isNew, isSale, moneyOf } from './overview.ts';
import { revenueSample } from './results.ts';

type Flows = ReadonlyMap<string, readonly string[]>;

interface Measured {
  value: number;
  /** Null with fewer than `minEvents` purchases. */
  interval: Interval | null;
}

interface LandingSales {
  landing: string;
  visitors: number;
  purchases: number;
  share: Measured;
  /** Revenue of first payments per visitor, in minor units of the common currency; null where a rate is missing. */
  revenue: Measured | null;
}

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);

function sumsBy(rows: readonly PaymentCount[], value: (row: PaymentCount) => number) {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  return Object.fromEntries([...byCurrency].map(([name, own]) => [name, sum(own.map(value))]));
}

export function landingSales(
  visits: readonly FlowCount[],
  payments: readonly PaymentCount[],
  flows: Flows,
  reporting: Reporting | null,
): { currency: string | null; rows: LandingSales[] } {
  const landingOf = ({ flow }: { flow: string }) => flows.get(flow)?.[0] ?? 'former flow';
  const money = payments.filter((row) => moneyOf(row) !== 0 && isNew(row));
  const common = commonCurrency([...new Set(money.map(({ currency }) => currency))], reporting);
  const moneyBy = Map.groupBy(money, landingOf);
  const salesBy = Map.groupBy(payments.filter(isSale), landingOf);
  const rows = [...Map.groupBy(visits, landingOf)].map(([landing, counts]): LandingSales => {
    const visitors = sum(counts.map((row) => row.visits));
    const purchases = sum((salesBy.get(landing) ?? []).map(({ count }) => count));
    const own = moneyBy.get(landing) ?? [];
    const squares = sumsBy(own, (row) => row.squares);
    const paid = common
      ? revenueSample({ visitors, revenue: sumsBy(own, moneyOf), squares }, common.factors)
      : null;
    const isEnough = purchases >= minEvents;
    const share = shareSample(Math.min(purchases, visitors), visitors);
    return {
      landing,
      visitors,
      purchases,
      share: { value: share.mean, interval: isEnough ? meanInterval(share) : null },
      revenue: paid && { value: paid.mean, interval: isEnough ? meanInterval(paid) : null },
    };
  });
  return {
    currency: common?.currency ?? null,
    rows: rows.sort((a, b) => b.visitors - a.visitors),
  };
}

export function landingTests(
  arms: readonly ArmFlow[],
  flows: Flows,
): { experiment: string; landings: string[] }[] {
  return [...Map.groupBy(arms, ({ experiment }) => experiment)]
    .map(([experiment, own]) => ({
      experiment,
      landings: [...new Set(own.flatMap(({ flow }) => flows.get(flow)?.[0] ?? []))].sort(),
    }))
    .filter(({ landings }) => landings.length > 1);
}
