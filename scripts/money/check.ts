import type { Difference, Unread } from '../../worker/api/admin/check.ts';
import { aligned, decimal } from '../table.ts';
import type { Context } from './context.ts';
import { patiently } from './patient.ts';

interface Page {
  checked: number;
  unread: Unread[];
  differences: Difference[];
  next: string | null;
}

const titles = ['account', 'attempt', 'at', 'money', 'ledger', 'provider', 'copy', 'currency'];
const sum = (minor: number | null) => (minor === null ? 'none' : decimal(minor));

const rowOf = (line: Difference) => [
  line.account,
  line.attempt,
  line.gateway,
  line.id,
  sum(line.ledger),
  sum(line.provider),
  sum(line.copy),
  line.currency,
];

/**
 * Compares every account's ledger with what its payment providers say now, and with the copy in D1.
 *
 * @returns whether all is the same, to the cent
 */
export async function check(context: Context): Promise<boolean> {
  const { site, say } = context;
  const differences: Difference[] = [];
  const unread: Unread[] = [];
  let checked = 0;
  for (let next: string | null = ''; next !== null; ) {
    const path = `/check?after=${encodeURIComponent(next)}`;
    const page: Page = await patiently(context, () => site.get<Page>(path));
    checked += page.checked;
    differences.push(...page.differences);
    unread.push(...page.unread);
    next = page.next;
  }
  if (differences.length > 0) {
    for (const line of aligned([titles, ...differences.map(rowOf)])) say(line);
  }
  for (const { account, attempt } of unread) {
    const what = attempt === null ? account : `${account}, attempt ${attempt}`;
    say(`not read: ${what}, its payment provider did not answer`);
  }
  say(`${checked} accounts compared, ${differences.length} differences, ${unread.length} not read`);
  return differences.length === 0 && unread.length === 0;
}
