import { afterEach, beforeEach, vi } from 'vitest';

/** Keeps the console quiet until the mocks are restored. @returns the events that were logged since */
export function listen(): () => string[] {
  const events: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void events.push(JSON.parse(line).event));
  }
  return () =>
    events.filter((event) => event !== 'request' && event !== 'purchase_attempt_changed');
}

/** Keeps the console of each test of a file quiet, and gives clock and network back after it. */
export function quietly(): void {
  beforeEach(() => void listen());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}
