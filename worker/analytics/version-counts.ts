import { isLanding } from '../experiments/rules/flows.ts';
import { countSeries } from '../platform/log-counts.ts';
import type { SentEvent } from './rules/sent-event.ts';

/** Above these values a page does not count as good (web.dev/articles/vitals); in ms except `cls`. */
const goodLimits = { lcp: 2500, inp: 200, cls: 0.1 } as const;

/** Names of the browser's events for the funnel's steps. */
const steps: Readonly<Record<string, string>> = {
  lead: 'signup',
  checkout_screen_load: 'checkout',
  subs_purchase_started: 'pay',
  subs_purchase_completed: 'purchase',
};

type Named = Pick<SentEvent, 'name' | 'properties'>;

function seriesOf({ name, properties }: Named): string[] {
  if (name === 'screen__load') return isLanding(String(properties.screen_name)) ? ['visit'] : [];
  if (name !== 'web_vitals') return steps[name] ? [steps[name]] : [];
  return Object.entries(goodLimits).flatMap(([vital, limit]) => {
    const value = properties[vital];
    if (typeof value !== 'number') return [];
    return value > limit ? [vital, `${vital}|slow`] : [vital];
  });
}

/** Counts steps and web vitals for a staged rollout, which compares two versions at the same time. */
export function countForVersion(events: readonly Named[], version: string | undefined): void {
  if (!version) return;
  for (const name of events.flatMap(seriesOf)) countSeries(`version|${version}|${name}`);
}
