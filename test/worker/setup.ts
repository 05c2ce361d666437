import { env } from 'cloudflare:test';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { emptyStorage } from './empty-storage.ts';

// One runtime serves many files: each begins with modules, spies, globals and storage of its own.
vi.restoreAllMocks();
vi.resetModules();
vi.unstubAllGlobals();
vi.useRealTimers();

beforeAll(emptyStorage);

// A test run is read without the Worker's log; a test of the log spies on the console itself.
beforeEach(() => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockReturnValue();
  }
});

// An object that outlives its file must not report to the next one what this one logged.
afterAll(async () => {
  const { reportToMonitor } = await import('../../worker/log-counts.ts');
  await reportToMonitor(env, true);
});
