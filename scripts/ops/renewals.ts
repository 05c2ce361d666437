import { decimal } from '../../locales/format/currency.ts';
import type { FailedRenewals } from '../../worker/payments/subscriptions/failed-renewal-report.ts';
import { aligned } from '../text-table.ts';
import type { AdminContext } from './admin-client.ts';

const words: Record<FailedRenewals['outcome'], string> = {
  open: 'unpaid so far',
  retried: 'paid by the provider’s retry',
  new_card: 'paid with a new card',
  waived: 'given away: the invoice was voided',
  cancelled: 'cancelled',
  disputed: 'disputed',
  lost: 'never paid',
};

const isRecovered = ({ outcome }: FailedRenewals) =>
  outcome === 'retried' || outcome === 'new_card';

const total = (rows: readonly FailedRenewals[], field: 'count' | 'amount') =>
  rows.reduce((sum, row) => sum + row[field], 0);

export async function listRenewals(days: number, { site, print }: AdminContext): Promise<void> {
  const rows = await site.get<FailedRenewals[]>(`/renewals?days=${days}`);
  if (rows.length === 0) return print(`No renewal failed in the last ${days} days.`);
  for (const currency of new Set(rows.map((row) => row.currency))) {
    const failed = rows.filter((row) => row.currency === currency);
    const paid = failed.filter(isRecovered);
    const share = Math.round((100 * total(paid, 'amount')) / total(failed, 'amount'));
    print(
      `${currency}: ${total(failed, 'count')} renewals of ${decimal(total(failed, 'amount'), currency)} failed, ` +
        `${total(paid, 'count')} of ${decimal(total(paid, 'amount'), currency)} were paid later (${share} %).`,
    );
  }
  const titles = ['provider', 'currency', 'outcome', 'renewals', 'amount', 'days'];
  const lines = rows.map(({ gateway, currency, outcome, count, amount, days: after }) => [
    gateway,
    currency,
    words[outcome],
    String(count),
    decimal(amount, currency),
    after === null ? '' : after.toFixed(1),
  ]);
  for (const line of aligned([titles, ...lines])) print(line);
}
