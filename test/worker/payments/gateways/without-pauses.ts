import { vi } from 'vitest';

/** Stripe's client pauses for 0.5 to 2 s before it sends a call again: here for no time. */
export function withoutPauses(): void {
  const wait = globalThis.setTimeout;
  const shorter = (run: () => void, ms = 0, ...rest: []) =>
    wait(run, ms >= 500 && ms <= 2000 ? 0 : ms, ...rest);
  vi.stubGlobal('setTimeout', shorter);
}
