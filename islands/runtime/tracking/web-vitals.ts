import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { EventProperties } from '../../../worker/analytics/rules/event-schema.ts';
import { nextFrame } from '../navigation/next-frame.ts';
import { watchNavigationVitals } from './navigation-vitals.ts';
import { screenName, track } from './track.ts';

type Vitals = EventProperties<'web_vitals'>;

let vitals: Vitals = {};
let told = false;
let screen_name = '';

/** Milliseconds, whole; the shift of the layout to four places. */
const rounded = (name: keyof Vitals, value: number) =>
  name === 'cls' ? Math.round(value * 10_000) / 10_000 : Math.round(value);

function note(name: keyof Vitals, value: number): void {
  vitals[name] = rounded(name, value);
}

/** What is not told yet. */
function untold(): (Vitals & { screen_name: string }) | undefined {
  if (told || Object.keys(vitals).length === 0) return;
  told = true;
  return { ...vitals, screen_name };
}

function tell(): void {
  const seen = untold();
  if (seen) track('web_vitals', seen);
}

/** Tells of the screen that went, when the one that took its place is seen, and measures that one. */
function follow(): void {
  const seen = untold();
  if (seen) nextFrame().then(() => track('web_vitals', seen));
  vitals = { cls: 0 };
  told = false;
  screen_name = screenName();
}

/**
 * Measures how each screen feels, as long as it is shown, and tells it once: when the screen is left
 * or first hidden.
 */
export function watchVitals(): void {
  screen_name = screenName();
  let swapped = false;
  const first = ({ name, value }: Metric) => {
    if (!swapped) note(name.toLowerCase() as keyof Vitals, value);
  };
  for (const on of [onLCP, onFCP, onINP, onTTFB, onCLS]) on(first, { reportAllChanges: true });
  watchNavigationVitals(() => {
    swapped = true;
    follow();
  }, note);
  // Their last values come as the page is hidden: what is told then must wait for them.
  addEventListener('visibilitychange', () => document.hidden && setTimeout(tell));
  addEventListener('pagehide', tell);
}
