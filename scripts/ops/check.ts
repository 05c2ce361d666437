import { decimal } from '../../locales/format/currency.ts';
import type { Difference, UnreadAttempt } from '../../worker/operators/reconcile-api.ts';
import { aligned } from '../text-table.ts';
import { type Context, withRetries } from './admin-client.ts';

interface Page {
  checked: number;
  unread: UnreadAttempt[];
  differences: Difference[];
  next: string | null;
}

const titles = [
  'account',
  'attempt',
  'gateway',
  'movement',
  'ledger',
  'provider',
  'copy',
  'currency',
];
const sum = (minor: number | null, currency: string) =>
  minor === null ? 'none' : decimal(minor, currency);

const rowOf = (line: Difference) => [
  line.account,
  line.attempt,
  line.gateway,
  line.id,
  sum(line.ledger, line.currency),
  sum(line.provider, line.currency),
  sum(line.copy, line.currency),
  line.currency,
];

/** @returns whether the ledger, the payment providers and the copy in D1 agree exactly */
export async function check(context: Context): Promise<boolean> {
  const { site, print } = context;
  const found: Difference[] = [];
  const unread: UnreadAttempt[] = [];
  let checked = 0;
  for (let next: string | null = ''; next !== null; ) {
    const path = `/check?after=${encodeURIComponent(next)}`;
    const page: Page = await withRetries(context, () => site.get<Page>(path));
    checked += page.checked;
    found.push(...page.differences);
    unread.push(...page.unread);
    next = page.next;
  }
  const differences = found.filter(({ account }) => !account.startsWith('sample-'));
  if (found.length > differences.length) {
    print(`Left out: ${found.length - differences.length} payments of sample data.`);
  }
  if (differences.length > 0) {
    for (const line of aligned([titles, ...differences.map(rowOf)])) print(line);
  }
  for (const { account, attempt } of unread) {
    const what = attempt === null ? account : `${account}, attempt ${attempt}`;
    print(`Not compared: ${what}. The payment provider did not answer.`);
  }
  print(
    `${checked} accounts compared, ${differences.length} differences, ${unread.length} not compared`,
  );
  return differences.length === 0 && unread.length === 0;
}
