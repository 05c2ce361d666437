import { afterEach, vi } from 'vitest';

// Restores the clock, globals and methods that a test replaced.
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
