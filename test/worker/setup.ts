import { env, reset } from 'cloudflare:test';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { everyAccountDatabase } from '../../worker/platform/account-databases.ts';
import { emptyStorage } from './empty-storage.ts';
import { resetState } from './reset-state.ts';
import { mapStacks } from './source-maps.ts';

// One runtime serves many files: each starts with its own modules, spies, globals and storage.
vi.restoreAllMocks();
resetState();
vi.unstubAllGlobals();
vi.useRealTimers();
mapStacks();
// Last, because an object that an earlier file's timer woke until now would refuse this file's modules, at length.
await reset();

// Each file has variables of its own, so it is a version of its own, which shares no page with others.
const CF_VERSION_METADATA = { id: crypto.randomUUID(), tag: '', timestamp: '' };
Object.assign(env, { CF_VERSION_METADATA });

beforeAll(emptyStorage);

// The Worker's log is hidden in test runs; a test of the log spies on the console itself.
beforeEach(() => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockReturnValue();
});

// An object that outlives its file must not report this file's log lines to the next one.
afterAll(async () => {
  await (await import('../../worker/platform/log-counts.ts')).reportToMonitor(env, true);
  // A reset that cuts off a statement is reported at length, too; a database answers in order.
  for (const db of [...everyAccountDatabase(env), env.ANALYTICS])
    await db.prepare('SELECT 1').run();
  // Nor run on with this file's modules, which the runtime reports at length.
  await reset();
});
