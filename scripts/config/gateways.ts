import type { GatewayCheck } from '../../worker/payments/gateways/configuration-check.ts';
import type { RetryCheck } from '../../worker/payments/gateways/settings.ts';
import type { Site } from '../ops/admin-client.ts';
import { aligned } from '../text-table.ts';

const yes = (is: boolean) => (is ? 'yes' : 'no');

function retryLine(gateway: string, { settings, planned, unplanned, furthestDays }: RetryCheck) {
  const where = `${gateway}: to see how it retries unpaid renewals, open ${settings}`;
  if (planned === null) return `${where}.`;
  const last = furthestDays === null ? '' : `, the last one in ${furthestDays} days`;
  return `${where}. Unpaid now: ${planned} will be retried${last}; ${unplanned} will not.`;
}

/** @returns whether every configured price matches the catalog */
export async function printGateways(site: Site, print: (line: string) => void): Promise<boolean> {
  const reports = await site.get<GatewayCheck[]>('/gateways');
  const rows = reports.map(({ gateway, open, webhooks, unsettled, prices, unread }) => {
    const named = prices.filter(({ price }) => price !== null);
    const wrong = named.filter(({ problems }) => problems.length > 0);
    const compared = `${named.length} compared, ${wrong.length} different`;
    const none = open ? 'none: each order contains the amount' : 'none';
    const summary = unread ?? (named.length === 0 ? none : compared);
    return [gateway, yes(open), yes(webhooks), unsettled.join(', ') || 'none', summary];
  });
  for (const line of aligned([
    ['provider', 'takes payments', 'webhooks', 'cannot charge', 'prices'],
    ...rows,
  ])) {
    print(line);
  }
  const wrong = reports
    .flatMap(({ prices }) => prices)
    .filter(({ price, problems }) => price !== null && problems.length > 0);
  const list = wrong.map(({ plan, price, problems }) => [plan, price ?? '', problems.join(', ')]);
  if (list.length > 0) {
    for (const line of aligned([['plan', 'price', 'problem'], ...list])) print(line);
  }
  for (const { gateway, retries } of reports) if (retries) print(retryLine(gateway, retries));
  return wrong.length === 0 && reports.every(({ unread }) => unread === null);
}
