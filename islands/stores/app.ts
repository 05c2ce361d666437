import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';

interface App {
  /** Name of the current flow. */
  flow: string;
  /** Seconds left of the offer; null off the screens that show it. */
  timerSeconds: number | null;
  /** When the offer ends, epoch ms; survives a reload. */
  deadline: number | null;
  /** Our own path that a mailed link leads back to, while that link works: until, epoch ms. */
  comesBack?: { path: string; until: number } | null;
}

export const $app = map<App>({ flow: '', timerSeconds: null, deadline: null });
persist('app', $app);

/** The length of an offer, in seconds. */
export const offerSeconds = 300;

/** Whole seconds until a deadline, never below 0. Times in epoch ms. */
export function secondsLeft(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000));
}

/** Starts the offer at its first sight, and counts to the same deadline after that. */
export function tickTimer(now = Date.now()): void {
  const deadline = $app.get().deadline ?? now + offerSeconds * 1000;
  const timerSeconds = secondsLeft(deadline, now);
  if (deadline === $app.get().deadline) $app.setKey('timerSeconds', timerSeconds);
  else $app.set({ ...$app.get(), deadline, timerSeconds });
}

/** Ends the counting when its screen is left; the deadline stays. */
export function stopTimer(): void {
  $app.setKey('timerSeconds', null);
}

/** Notes the flow that the visitor is in. */
export function setFlow(flow: string): void {
  $app.setKey('flow', flow);
}
