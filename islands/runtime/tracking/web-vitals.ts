import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { EventProperties } from '../../../worker/analytics/rules/event-schema.ts';
import { nextFrame } from '../navigation/next-frame.ts';
import { watchNavigationVitals } from './navigation-vitals.ts';
import { screenName, track } from './track.ts';

type Vitals = EventProperties<'web_vitals'>;

let vitals: Vitals = {};
let sent = false;
let screen_name = '';

/** Whole ms; CLS with four decimals. */
const rounded = (name: keyof Vitals, value: number) =>
  name === 'cls' ? Math.round(value * 10_000) / 10_000 : Math.round(value);

function note(name: keyof Vitals, value: number): void {
  vitals[name] = rounded(name, value);
}

function takeUnsent(): (Vitals & { screen_name: string }) | undefined {
  if (sent || Object.keys(vitals).length === 0) return;
  sent = true;
  return { ...vitals, screen_name };
}

function sendVitals(): void {
  const unsent = takeUnsent();
  if (unsent) track('web_vitals', unsent);
}

function startScreen(): void {
  const unsent = takeUnsent();
  if (unsent) nextFrame().then(() => track('web_vitals', unsent));
  vitals = { cls: 0 };
  sent = false;
  screen_name = screenName();
}

export function watchVitals(): void {
  screen_name = screenName();
  let swapped = false;
  const first = ({ name, value }: Metric) => {
    if (!swapped) note(name.toLowerCase() as keyof Vitals, value);
  };
  for (const on of [onLCP, onFCP, onINP, onTTFB, onCLS]) on(first, { reportAllChanges: true });
  watchNavigationVitals(() => {
    swapped = true;
    startScreen();
  }, note);
  // Final values arrive while the page is being hidden, so sending waits a task.
  addEventListener('visibilitychange', () => document.hidden && setTimeout(sendVitals));
  addEventListener('pagehide', sendVitals);
}
