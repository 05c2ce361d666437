import type { EventName } from '../../worker/analytics/rules/event-schema.ts';
import type { Ask } from '../d1-client.ts';
import { aligned } from '../text-table.ts';

/** How many visitors of an arm an event was told of. */
export interface Reached {
  arm: string;
  name: string;
  visitors: number;
}

/** The steps from the ad to the end, each by the event that tells of it. */
const steps = [
  ['landing', 'onboarding_start'],
  ['sign-up', 'lead'],
  ['checkout', 'checkout_screen_load'],
  ['plans seen', 'subs_purchase_show'],
  ['pay pressed', 'subs_purchase_started'],
  ['paid', 'subs_purchase_completed'],
  ['upsell paid', 'upsell_purchase_completed'],
] as const satisfies readonly (readonly [string, EventName])[];

const hour = 60 * 60 * 1000;

const question = (since: number) =>
  `SELECT arm, name, COUNT(DISTINCT visitor) AS visitors FROM events
   WHERE at >= ${since} AND name IN (${steps.map(([, name]) => `'${name}'`).join(', ')})
   GROUP BY arm, name`;

const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

/** A row a step: how many visitors each arm brought there, and which share of its landings that is. */
export function funnelTable(reached: readonly Reached[]): string[] {
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

/**
 * Says how far the visitors of the last hours came, by step and arm.
 *
 * @param now ms since 1970
 * @throws Refused when D1 does not answer
 */
export async function funnel(
  { hours, now }: { hours: number; now: number },
  ask: Ask,
  say: (line: string) => void,
): Promise<void> {
  const [reached = []] = await ask<Reached>(question(now - hours * hour));
  if (reached.length === 0) return say(`Nothing was told in the last ${hours} hours.`);
  for (const line of funnelTable(reached)) say(line.trimEnd());
}
