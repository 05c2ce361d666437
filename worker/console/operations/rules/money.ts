import { commonCurrency, type Reporting } from '../../../experiments/rules/reporting.ts';
import type { FeeRow } from '../../../payments/ledger/fee-table.ts';
import { minor } from '../../../platform/types.ts';
import type { MoneyCount } from '../money-table.ts';

/** Per day, currency and provider; amounts in minor units. */
export interface MoneyRow {
  /** Such as 2026-11-22; empty for the whole period. */
  day: string;
  currency: string;
  provider: string;
  captured: number;
  refunded: number;
  disputed: number;
  net: number;
}

/** The newest day first. */
export function moneyRows(counts: readonly MoneyCount[]): MoneyRow[] {
  const groups = Map.groupBy(counts, ({ day, currency, provider }) =>
    JSON.stringify([day, currency, provider]),
  );
  const rows = [...groups].map(([key, group]) => {
    const [day, currency, provider]: [string, string, string] = JSON.parse(key);
    const sum = (step: MoneyCount['step']) =>
      group.reduce((total, row) => total + (row.step === step ? row.amount : 0), 0);
    const [captured, refunded, disputed] = [sum('capture'), sum('refund'), sum('dispute')];
    const net = captured - refunded - disputed;
    return { day, currency, provider, captured, refunded, disputed, net };
  });
  const order = ({ currency, provider }: MoneyRow) => `${currency} ${provider}`;
  return rows.sort((a, b) => b.day.localeCompare(a.day) || order(a).localeCompare(order(b)));
}

/** Without providers, and in the reporting currency if every rate is known. Amounts are rounded when they are shown. */
export function inOneCurrency(
  counts: readonly MoneyCount[],
  currencies: readonly string[],
  reporting: Reporting | null,
): MoneyCount[] {
  const common = commonCurrency(currencies, reporting);
  return counts.map((count) => ({
    ...count,
    provider: '',
    currency: common?.currency ?? count.currency,
    amount: minor(count.amount * (common?.factors[count.currency] ?? 1)),
  }));
}

/** The whole period by currency and provider. */
export const moneyTotals = (counts: readonly MoneyCount[]): MoneyRow[] =>
  moneyRows(counts.map((count) => ({ ...count, day: '' })));

interface ProviderFees {
  provider: string;
  amounts: { currency: string; amount: number }[];
  days: number;
}

/** Fees of each provider that moved money or reported fees. */
export function feesOf(counts: readonly MoneyCount[], fees: readonly FeeRow[]): ProviderFees[] {
  const names = new Set(
    [...counts, ...fees.map(({ gateway }) => ({ provider: gateway }))].map(
      ({ provider }) => provider,
    ),
  );
  return [...names].sort().map((provider) => {
    const own = fees.filter(({ gateway }) => gateway === provider);
    const byCurrency = Map.groupBy(own, ({ currency }) => currency);
    return {
      provider,
      amounts: [...byCurrency].map(([currency, rows]) => ({
        currency,
        amount: rows.reduce((sum, { amount }) => sum + amount, 0),
      })),
      days: new Set(own.map(({ day }) => day)).size,
    };
  });
}
