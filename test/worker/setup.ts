import { env } from 'cloudflare:test';
import { afterAll, beforeAll, vi } from 'vitest';
import { emptyStorage } from './empty-storage.ts';

// One runtime serves many files: each begins with modules, spies, globals and storage of its own.
vi.restoreAllMocks();
vi.resetModules();
vi.unstubAllGlobals();
vi.useRealTimers();

beforeAll(emptyStorage);

// An object that outlives its file must not report to the next one what this one logged.
afterAll(async () => {
  const { reportToMonitor } = await import('../../worker/log-counts.ts');
  await reportToMonitor(env, true);
});
