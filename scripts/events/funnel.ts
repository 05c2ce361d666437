import type { EventName } from '../../worker/analytics/rules/event-schema.ts';
import { aligned } from '../text-table.ts';
import type { Query } from '../wrangler.ts';

/** How many visitors of an arm sent an event. */
export interface StepCount {
  arm: string;
  name: string;
  visitors: number;
}

/** The steps, each with the event that marks it. */
const steps = [
  ['landing', 'onboarding_start'],
  ['sign-up', 'lead'],
  ['checkout', 'checkout_screen_load'],
  ['plans seen', 'subs_purchase_show'],
  ['pay pressed', 'subs_purchase_started'],
  ['paid', 'subs_purchase_completed'],
  ['upsell paid', 'upsell_purchase_completed'],
] as const satisfies readonly (readonly [string, EventName])[];

const hourMs = 60 * 60 * 1000;

const countQuery = (since: number) =>
  `SELECT arm, name, COUNT(DISTINCT visitor_id) AS visitors FROM events
   WHERE occurred_at >= ${since} AND name IN (${steps.map(([, name]) => `'${name}'`).join(', ')})
   GROUP BY arm, name`;

const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

/** One row per step: the visitors of each arm who reached it, and their share of its landings. */
export function funnelTable(reached: readonly StepCount[]): string[] {
  const arms = [...new Set(reached.map(({ arm }) => arm))].sort();
  const count = (arm: string, name: string) =>
    reached.find((each) => each.arm === arm && each.name === name)?.visitors ?? 0;
  const [[, first]] = steps;
  const rows = steps.map(([step, name]) => [
    step,
    ...arms.flatMap((arm) => [
      String(count(arm, name)),
      share(count(arm, name), count(arm, first)),
    ]),
  ]);
  return aligned([['step', ...arms.flatMap((arm) => [arm, ''])], ...rows]);
}

export async function funnel(
  { hours, now }: { hours: number; now: number },
  query: Query,
  say: (line: string) => void,
): Promise<void> {
  const [reached = []] = await query<StepCount>(countQuery(now - hours * hourMs));
  if (reached.length === 0) return say(`No events in the last ${hours} hours.`);
  for (const line of funnelTable(reached)) say(line.trimEnd());
}
