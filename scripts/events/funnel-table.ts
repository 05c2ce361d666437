import { bucketCount, quantile } from '../../worker/analytics/rules/buckets.ts';
import type { EventName } from '../../worker/analytics/rules/event-schema.ts';
import { aligned } from '../text-table.ts';
import type { Query } from '../wrangler.ts';

/** Number of an arm's visits with a step. */
export interface StepRow {
  arm: string;
  step: string;
  visits: number;
}

export interface FunnelScreenRow {
  screen: string;
  step: string;
  bucket: number;
  events: number;
  visits: number;
}

/** The funnel's steps, each with its event. */
const steps = [
  ['landing', 'onboarding_start'],
  ['sign-up', 'lead'],
  ['checkout', 'checkout_screen_load'],
  ['plans seen', 'subs_purchase_show'],
  ['pay pressed', 'subs_purchase_started'],
  ['paid', 'subs_purchase_completed'],
  ['upsell paid', 'upsell_purchase_completed'],
] as const satisfies readonly (readonly [string, EventName])[];

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Whole days, plus the hours that `days` does not have; the first day is read by hours too. */
const rowsSince = (since: number, names: readonly string[]) => {
  const firstDay = Math.ceil(since / dayMs) * dayMs;
  const wanted = `step IN (${names.map((name) => `'${name}'`).join(', ')})`;
  const columns = 'step, screen, bucket, slice_id, events, visits';
  return `(SELECT ${columns} FROM days WHERE day >= ${firstDay} AND ${wanted}
    UNION ALL SELECT ${columns} FROM hours WHERE hour >= ${since} AND ${wanted}
      AND (hour < ${firstDay} OR hour >= (SELECT until FROM compiled)))`;
};

const stepQuery = (since: number) =>
  `SELECT variant AS arm, step, sum(visits) AS visits
   FROM ${rowsSince(
     since,
     steps.map(([, name]) => name),
   )} JOIN slices ON slices.id = slice_id
   GROUP BY arm, step`;

const screenQuery = (since: number) =>
  `SELECT screen, step, bucket, sum(events) AS events, sum(visits) AS visits
   FROM ${rowsSince(since, ['screen__load', 'button__continue'])}
   WHERE screen <> '' GROUP BY screen, step, bucket`;

export const funnelQueries = (since: number) => [stepQuery(since), screenQuery(since)];

const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

/** One row per step: the visits of each arm that reached it, and their share of the arm's landings. */
export function funnelTable(reached: readonly StepRow[]): string[] {
  const arms = [...new Set(reached.map(({ arm }) => arm))].sort();
  const count = (arm: string, step: string) =>
    reached.find((each) => each.arm === arm && each.step === step)?.visits ?? 0;
  const [[, first]] = steps;
  const rows = steps.map(([title, step]) => [
    title,
    ...arms.flatMap((arm) => [
      String(count(arm, step)),
      share(count(arm, step), count(arm, first)),
    ]),
  ]);
  return aligned([['step', ...arms.flatMap((arm) => [arm, ''])], ...rows]);
}

/** One row per screen: its visits, the presses of Continue, and the median time until then. */
export function screenTable(counts: readonly FunnelScreenRow[]): string[] {
  const rows = [...Map.groupBy(counts, ({ screen }) => screen)].map(([screen, own]) => {
    const arrived = own
      .filter(({ step }) => step === 'screen__load')
      .reduce((sum, { visits }) => sum + visits, 0);
    const presses = Array.from({ length: bucketCount }, () => 0);
    for (const { step, bucket, events } of own) {
      if (step === 'button__continue') presses[bucket] = (presses[bucket] ?? 0) + events;
    }
    const continued = presses.reduce((sum, count) => sum + count, 0);
    // Presses without a time are in the first bucket, so that is set to zero.
    const median = quantile('seconds', presses.with(0, 0), 0.5);
    return { screen, arrived, continued, median };
  });
  rows.sort((a, b) => b.arrived - a.arrived);
  return aligned([
    ['screen', 'arrived', 'continued', '', 'median'],
    ...rows.map(({ screen, arrived, continued, median }) => [
      screen,
      String(arrived),
      String(continued),
      share(continued, arrived),
      median === null ? '–' : `${median.toFixed(1)} s`,
    ]),
  ]);
}

export async function funnel(
  { hours, now }: { hours: number; now: number },
  query: Query,
  print: (line: string) => void,
): Promise<void> {
  const since = Math.floor((now - hours * hourMs) / hourMs) * hourMs;
  const [reached = [], screens = []] = await query<StepRow & FunnelScreenRow>(
    funnelQueries(since).join('; '),
  );
  if (reached.length === 0) return print(`No events in the last ${hours} hours.`);
  const lines = [...funnelTable(reached), '', ...screenTable(screens)];
  for (const line of lines) print(line.trimEnd());
}
