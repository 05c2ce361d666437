import { afterEach, vi } from 'vitest';

// The next test has the clock, the globals and the methods that this one replaced.
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
