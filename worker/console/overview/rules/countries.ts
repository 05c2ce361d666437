import { commonCurrency, type Reporting } from '../../../experiments/rules/reporting.ts';
import type { CountryCount, CountryPayment } from '../overview-table.ts';
import { isSale, moneyOf } from './overview.ts';

interface CountrySales {
  /** Empty if it is not known. */
  country: string;
  visitors: number;
  purchases: number;
  /** Minor units by currency: the common one, or each one that was paid in if a rate is missing. */
  revenue: Map<string, number>;
}

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);

/** Visitors, purchases of main plans, and money by country, the most visited first. */
export function countrySales(
  visits: readonly CountryCount[],
  payments: readonly CountryPayment[],
  reporting: Reporting | null,
): CountrySales[] {
  const money = payments.filter((row) => moneyOf(row) !== 0);
  const common = commonCurrency([...new Set(money.map(({ currency }) => currency))], reporting);
  const byCountry = ({ country }: { country: string }) => country;
  const [visitsBy, paymentsBy] = [Map.groupBy(visits, byCountry), Map.groupBy(payments, byCountry)];
  const countries = new Set([...visitsBy.keys(), ...paymentsBy.keys()]);
  const rows = [...countries].map((country): CountrySales => {
    const own = paymentsBy.get(country) ?? [];
    const revenue = new Map<string, number>();
    for (const row of own) {
      const amount = moneyOf(row);
      if (amount === 0) continue;
      const factor = common?.factors[row.currency] ?? 1;
      const currency = common?.currency ?? row.currency;
      revenue.set(currency, (revenue.get(currency) ?? 0) + amount * factor);
    }
    return {
      country,
      visitors: sum((visitsBy.get(country) ?? []).map((row) => row.visits)),
      purchases: sum(own.filter(isSale).map(({ count }) => count)),
      revenue,
    };
  });
  return rows.sort((a, b) => b.visitors - a.visitors || b.purchases - a.purchases);
}
