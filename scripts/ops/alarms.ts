import { decimal } from '../../locales/format/currency.ts';
import type { MonitorState } from '../../worker/monitoring/monitor-state.ts';
import { alarmKinds } from '../../worker/monitoring/rules/alarm-kinds.ts';
import type { Incident } from '../../worker/monitoring/rules/incidents.ts';
import { aligned } from '../text-table.ts';
import type { AdminContext } from './admin-client.ts';

type Monitoring = MonitorState & { alarms: Incident[] };

const minuteMs = 60_000;
const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`;

export async function listAlarms({ site, print }: AdminContext): Promise<void> {
  const { alarms, checks, watchedAt } = await site.get<Monitoring>('/monitoring');
  print(watchedAt === null ? 'No check has run yet.' : `Last checked ${time(watchedAt)}.`);
  for (const { kind, area, segment, detail, startedAt } of alarms) {
    const where = segment && ` (${segment})`;
    print(`\n${alarmKinds[kind].title}${where}, since ${time(startedAt * minuteMs)}`);
    print(`  ${detail}`);
    print(`  Check first: ${alarmKinds[kind].check}`);
    print(`  Area: ${area}`);
  }
  if (alarms.length === 0) print('No alarms.');
  const newest = new Map(checks.map((one) => [`${one.market} ${one.gateway}`, one]));
  for (const [walk, { ok, step, reason }] of newest) {
    if (!ok) print(`The walk ${walk} fails at ${step}: ${reason}`);
  }
}

export async function snooze(
  area: string,
  hours: number,
  reason: string,
  { site, print }: AdminContext,
): Promise<void> {
  const body = { area, hours, reason };
  const { until } = await site.post<{ until: number }>('/monitoring/snooze', body);
  print(hours === 0 ? `${area} is no longer snoozed.` : `${area} is snoozed until ${time(until)}.`);
}

/** Lists the results of the nightly reconciliation. @returns whether there is no difference */
export async function listDifferences({ site, print }: AdminContext): Promise<boolean> {
  const { nightly } = await site.get<Monitoring>('/monitoring');
  for (const { gateway, day, finishedAt, compared, fetchedEvents } of nightly) {
    const state = finishedAt === null ? 'under way' : `finished ${time(finishedAt)}`;
    const events = fetchedEvents > 0 ? `, ${fetchedEvents} missed events fetched` : '';
    print(`${gateway} ${day}: ${state}, ${compared} movements compared${events}`);
  }
  const differences = nightly.flatMap((result) => result.differences);
  const sum = (minor: number | null, currency: string) =>
    minor === null ? 'none' : decimal(minor, currency);
  const rows = differences.map((one) => [
    one.kind,
    one.id,
    one.attempt ?? 'none',
    sum(one.ledger, one.currency),
    sum(one.provider, one.currency),
    one.currency,
  ]);
  const titles = ['difference', 'payment', 'attempt', 'ledger', 'provider', 'currency'];
  if (rows.length > 0) for (const line of aligned([titles, ...rows])) print(line);
  print(
    nightly.length === 0 ? 'No nightly reconciliation has run yet.' : `${rows.length} differences`,
  );
  return rows.length === 0;
}
