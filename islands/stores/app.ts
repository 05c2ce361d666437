import { map } from 'nanostores';
import { offerSeconds } from '../../locales/format/offer-time.ts';
import { persist } from '../runtime/storage/persist.ts';
import { sliceOf } from '../runtime/storage/update-slice.ts';

export interface App {
  flow: string;
  timerSeconds: number | null;
  /** End of the offer, epoch ms; survives a reload. */
  deadline: number | null;
  /** Page to return to after a sign-in link: own path, and the link's expiry in epoch ms. */
  returnPage?: { path: string; until: number } | null;
}

declare module '../runtime/storage/update-slice.ts' {
  interface Slices {
    app: App;
  }
}

export const $app = map<App>({ flow: '', timerSeconds: null, deadline: null });
persist('app', $app);

/** Whole seconds until a deadline, at least 0. Times in epoch ms. */
export function secondsLeft(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000));
}

export function tickTimer(now = Date.now()): void {
  // Another tab may have started it.
  const deadline = $app.get().deadline ?? sliceOf('app').deadline ?? now + offerSeconds * 1000;
  const timerSeconds = secondsLeft(deadline, now);
  if (deadline === $app.get().deadline) $app.setKey('timerSeconds', timerSeconds);
  else $app.set({ ...$app.get(), deadline, timerSeconds });
}

/** The server knows when the countdown began, also if this browser's storage was cleared. */
export function limitOffer(seconds: number, now = Date.now()): void {
  const deadline = now + seconds * 1000;
  if (deadline < ($app.get().deadline ?? Number.POSITIVE_INFINITY))
    $app.setKey('deadline', deadline);
}

export function stopTimer(): void {
  $app.setKey('timerSeconds', null);
}

export function setFlow(flow: string): void {
  $app.setKey('flow', flow);
}
