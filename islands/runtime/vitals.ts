import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { EventProperties } from '../../worker/funnel/events.ts';
import { track } from './track.ts';

type Vitals = EventProperties<'web_vitals'>;

const vitals: Vitals = {};
let told = false;

/** Milliseconds, whole; the shift of the layout to four places. */
const rounded = ({ name, value }: Metric) =>
  name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);

function tell(): void {
  if (told || Object.keys(vitals).length === 0) return;
  told = true;
  track('web_vitals', vitals);
}

/** Measures how the document feels, and tells it once, when it is first left or hidden. */
export function watchVitals(): void {
  for (const on of [onLCP, onFCP, onINP, onTTFB, onCLS]) {
    on((metric) => {
      vitals[metric.name.toLowerCase() as keyof Vitals] = rounded(metric);
    });
  }
  // Their last values come as the page is hidden: what is told then must wait for them.
  addEventListener('visibilitychange', () => document.hidden && setTimeout(tell));
  addEventListener('pagehide', tell);
}
