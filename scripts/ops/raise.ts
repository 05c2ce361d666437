import { decimal } from '../../locales/format/currency.ts';
import type { RaisedSubscription } from '../../worker/payments/subscriptions/raise-page.ts';
import { aligned } from '../text-table.ts';
import { type AdminContext, withRetries } from './admin-client.ts';

interface RaiseRequest {
  version: string;
  /** Ms since 1970. */
  from: number;
  reason: string;
  start: boolean;
}

interface Page {
  rows: RaisedSubscription[];
  next: string | null;
}

const day = (at: number | null) => (at === null ? '' : new Date(at).toISOString().slice(0, 10));

const words: Partial<Record<string, string>> = {
  new: 'would be told',
  announced: 'told',
  agreed: 'agreed',
  scheduled: 'at the provider',
  applied: 'paid at the new price',
  open: 'another raise is under way',
  once: 'does not renew',
  provisional: 'not paid yet',
  over: 'ended',
  ending: 'cancelled',
  paused: 'paused',
  changing: 'changes its plan',
  disputed: 'disputed',
  unpaid: 'payment overdue',
  intro: 'in its intro',
  reduced: 'has a coupon for more renewals',
  restarted: 'after a late payment',
  unnotified: 'the notice did not arrive',
  moved: 'its renewal moved',
  gateway: 'the provider refused',
  changed: 'changed its plan',
};

const stateOf = ({ state, why, needsYes }: RaisedSubscription): string => {
  const text = words[(state === 'stopped' && why) || state] ?? state;
  const asks = needsYes && (state === 'announced' || state === 'new');
  return `${state === 'stopped' ? 'stopped: ' : ''}${text}${asks ? ', needs a yes' : ''}`;
};

const titles = ['account', 'country', 'provider', 'plan', 'now', 'then', 'from', 'state'];

const lineOf = (row: RaisedSubscription): string[] => [
  row.account,
  row.country ?? '',
  row.gateway,
  row.plan,
  `${decimal(row.before, row.currency)} ${row.currency}`,
  row.after === null ? '' : decimal(row.after, row.currency),
  day(row.at),
  stateOf(row),
];

/** Lists who is affected, or tells them; afterwards the same list is the report. */
export async function startRaise(
  { version, from, reason, start }: RaiseRequest,
  after: string,
  { site, print, ...context }: AdminContext,
): Promise<void> {
  const rows: RaisedSubscription[] = [];
  for (let next: string | null = after; next !== null; ) {
    const body = { version, from, reason, start, after: next };
    const page: Page = await withRetries(context, () => site.post<Page>('/price-raises', body));
    rows.push(...page.rows);
    next = page.next;
    if (start && next) print(`${rows.length} subscriptions. To go on from here: --after ${next}`);
  }
  for (const line of aligned([titles, ...rows.map(lineOf)])) print(line);
  const counts = Map.groupBy(rows, stateOf);
  for (const [state, own] of counts) print(`${own.length} ${state}.`);
  if (rows.length === 0) print('No subscription to this product.');
  else if (!start) print('To tell their owners: repeat the command with --start.');
}
