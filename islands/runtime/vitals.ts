import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { EventProperties } from '../../worker/funnel/events.ts';
import { track } from './track.ts';

type Vitals = EventProperties<'web_vitals'>;

const vitals: Vitals = {};
let told = false;

/** Milliseconds, whole; the shift of the layout to four places. */
const rounded = ({ name, value }: Metric) =>
  name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);

/** Measures how the document felt; `tellVitals` tells it. */
export function watchVitals(): void {
  for (const on of [onLCP, onFCP, onINP, onTTFB, onCLS]) {
    on((metric) => {
      vitals[metric.name.toLowerCase() as keyof Vitals] = rounded(metric);
    });
  }
}

/** Tells how the document felt, once. */
export function tellVitals(): void {
  if (told || Object.keys(vitals).length === 0) return;
  told = true;
  track('web_vitals', vitals);
}
