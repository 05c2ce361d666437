import { decimal } from '../../locales/format/currency.ts';
import type {
  Difference,
  RowDifference,
  UnreadAttempt,
} from '../../worker/operators/reconcile-api.ts';
import { aligned } from '../text-table.ts';
import { type AdminContext, withRetries } from './admin-client.ts';

interface Page {
  checked: number;
  unread: UnreadAttempt[];
  differences: Difference[];
  /** Missing from a site with an older build. */
  rows?: RowDifference[];
  /** Accounts of which D1 has no row. */
  lost?: string[];
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

const rowTitles = ['account', 'table', 'row', 'difference'];
const textOf = (row: RowDifference) => {
  if (row.kind === 'changed') return `differs: ${row.columns.join(', ')}`;
  return row.kind === 'missing' ? 'missing' : 'unknown to the account';
};

const isSample = ({ account }: { account: string }) => account.startsWith('sample-');

/** @returns whether the ledger, the payment providers and the copy in D1 agree exactly */
export async function check(context: AdminContext): Promise<boolean> {
  const { site, print } = context;
  const found: Difference[] = [];
  const unread: UnreadAttempt[] = [];
  const lost: string[] = [];
  const allRows: RowDifference[] = [];
  let checked = 0;
  for (let next: string | null = ''; next !== null; ) {
    const path = `/check?after=${encodeURIComponent(next)}`;
    const page: Page = await withRetries(context, () => site.get<Page>(path));
    checked += page.checked;
    found.push(...page.differences);
    unread.push(...page.unread);
    allRows.push(...(page.rows ?? []));
    lost.push(...(page.lost ?? []));
    next = page.next;
  }
  const differences = found.filter((line) => !isSample(line));
  const rows = allRows.filter((row) => !isSample(row));
  if (found.length > differences.length) {
    print(`Left out: ${found.length - differences.length} payments of sample data.`);
  }
  if (differences.length > 0) {
    for (const line of aligned([titles, ...differences.map(rowOf)])) print(line);
  }
  if (rows.length > 0) {
    const lines = rows.map((row) => [row.account, row.table, row.id, textOf(row)]);
    for (const line of aligned([rowTitles, ...lines])) print(line);
    print(`${rows.length} rows in D1 differ from what the accounts’ objects would write.`);
  }
  for (const { account, attempt } of unread) {
    const what = attempt === null ? account : `${account}, attempt ${attempt}`;
    print(`Not compared: ${what}. The payment provider did not answer.`);
  }
  for (const account of lost) print(`Lost from the copy in D1: ${account}.`);
  if (lost.length > 0 || rows.length > 0)
    print('To write the copy again: npm run ops -- rebuild --reason TEXT');
  print(
    `${checked} accounts compared, ${differences.length} differences, ${unread.length} not compared`,
  );
  return [differences, rows, unread, lost].every(({ length }) => length === 0);
}

interface RebuiltPage {
  accounts: number;
  rows: number;
  next: string | null;
}

/** Prints after each page where an interrupted command can go on. */
export async function rebuildAll(
  after: string,
  reason: string,
  context: AdminContext,
): Promise<void> {
  const { site, print } = context;
  const sum = { accounts: 0, rows: 0 };
  for (let next: string | null = after; next !== null; ) {
    const body = { after: next, reason };
    const page: RebuiltPage = await withRetries(context, () =>
      site.post<RebuiltPage>('/rebuild', body),
    );
    sum.accounts += page.accounts;
    sum.rows += page.rows;
    next = page.next;
    if (next) print(`${sum.accounts} accounts. To go on from here: --after ${next}`);
  }
  print(`${sum.rows} rows of ${sum.accounts} accounts written.`);
}
