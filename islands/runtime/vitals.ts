import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { EventProperties } from '../../worker/funnel/events.ts';
import { screenName, track } from './track.ts';

type Vitals = EventProperties<'web_vitals'>;

const vitals: Vitals = {};
let told = false;
let screen_name = '';

/** Milliseconds, whole; the shift of the layout to four places. */
const rounded = ({ name, value }: Metric) =>
  name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);

function tell(): void {
  if (told || Object.keys(vitals).length === 0) return;
  told = true;
  track('web_vitals', { ...vitals, screen_name });
}

/**
 * Measures how the document's first screen feels, as long as it is shown, and tells it once, when the
 * document is first left or hidden.
 */
export function watchVitals(): void {
  screen_name = screenName();
  const note = (metric: Metric) => {
    if (screenName() !== screen_name) return;
    vitals[metric.name.toLowerCase() as keyof Vitals] = rounded(metric);
  };
  for (const on of [onLCP, onFCP, onINP, onTTFB, onCLS]) on(note, { reportAllChanges: true });
  // Their last values come as the page is hidden: what is told then must wait for them.
  addEventListener('visibilitychange', () => document.hidden && setTimeout(tell));
  addEventListener('pagehide', tell);
}
