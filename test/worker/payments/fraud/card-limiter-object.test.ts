import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type {
  CardAttemptResult,
  CardLimiter,
} from '../../../../worker/payments/fraud/card-limiter-object.ts';

const hour = 60 * 60_000;
const start = Date.parse('2026-11-20T10:00:00Z');
const told = vi.spyOn(console, 'error');
const cleared = vi.spyOn(console, 'info');
/** Events of the log: what began, then what ended. */
const logged = () =>
  [...told.mock.calls, ...cleared.mock.calls].map(([line]) => JSON.parse(line).event);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => {
  vi.useRealTimers();
  told.mockClear();
  cleared.mockClear();
});

const counter = () => env.CARD_LIMITER.getByName(crypto.randomUUID());
type Stub = ReturnType<typeof counter>;

let made = 0;
/** A try that is over at once. */
async function tried(stub: Stub, names: string[], result: CardAttemptResult) {
  made += 1;
  const id = `try ${made}`;
  const refusal = await stub.countAttempt(id, names);
  if (!refusal) await stub.recordResult(id, result);
  return refusal;
}
const onlyOnes = (_: unknown, index: number) => [`visitor:${index}`, `address:${index}`];

test.each([
  ['visitor', (index: number) => ['visitor:one', `address:${index}`]],
  ['address', (index: number) => [`visitor:${index}`, 'address:one']],
])('of a thousand tries of one %s at once exactly five pass', async (_what, names) => {
  const stub = counter();
  const all = Array.from(
    { length: 1000 },
    (_, index): Promise<string | null> => stub.countAttempt(`t${index}`, names(index)),
  );
  const answers = await Promise.all(all);
  expect(answers.filter((answer) => answer === null)).toHaveLength(5);
  expect(new Set(answers)).toEqual(new Set([null, 'too_many_declines']));
});

test('a try that is asked for a thousand times is one', async () => {
  const stub = counter();
  const all = Array.from(
    { length: 1000 },
    (): Promise<string | null> => stub.countAttempt('t', ['a']),
  );
  expect(new Set(await Promise.all(all))).toEqual(new Set([null]));
  const others = [1, 2, 3, 4, 5].map(
    (n): Promise<string | null> => stub.countAttempt(`u${n}`, ['a']),
  );
  const more = await Promise.all(others);
  expect(more.filter((answer) => answer === null)).toHaveLength(4);
});

test.each<[CardAttemptResult, string | null]>([
  ['paid', null],
  ['undecided', null],
  ['declined', 'too_many_declines'],
  ['unpaid', 'too_many_declines'],
])('after five that were %s the sixth is %s', async (result, refusal) => {
  const stub = counter();
  for (let tries = 0; tries < 5; tries += 1) await tried(stub, ['a'], result);
  expect(await stub.countAttempt('sixth', ['a'])).toBe(refusal);
});

test('what is refused counts nowhere, and after an hour nothing does', async () => {
  const stub = counter();
  for (let tries = 0; tries < 5; tries += 1) await tried(stub, ['a', 'b'], 'declined');
  for (let tries = 0; tries < 5; tries += 1) await tried(stub, ['c', 'a'], 'declined');
  expect(await stub.countAttempt('c', ['c'])).toBeNull();
  vi.setSystemTime(start + hour);
  expect(await stub.countAttempt('again', ['a', 'b'])).toBeNull();
});

async function surging() {
  const stub = counter();
  const all = Array.from({ length: 30 }, onlyOnes);
  for (const names of all) await tried(stub, names, 'declined');
  return stub;
}

test('in a surge the first try of each is open, the second is not, and it ends by itself', async () => {
  const stub = await surging();
  expect(logged()).toEqual(['card_testing_detected']);
  expect(await tried(stub, ['new'], 'declined')).toBeNull();
  expect(await tried(stub, ['new'], 'declined')).toBe('card_testing_protection');
  expect(await tried(stub, ['paid'], 'paid')).toBeNull();
  expect(await tried(stub, ['paid'], 'paid')).toBeNull();
  vi.setSystemTime(start + 30 * 60_000);
  expect(await tried(stub, ['new'], 'declined')).toBeNull();
  expect(logged()).toEqual(['card_testing_detected', 'card_testing_cleared']);
});

test('many declines among many purchases are none', async () => {
  const stub = counter();
  for (const names of Array.from({ length: 14 }, onlyOnes)) await tried(stub, names, 'paid');
  for (const names of Array.from({ length: 30 }, onlyOnes)) await tried(stub, names, 'declined');
  expect(await tried(stub, ['a'], 'declined')).toBeNull();
  expect(await tried(stub, ['a'], 'declined')).toBeNull();
});

test('declines of another hour are no surge', async () => {
  const stub = counter();
  for (const names of Array.from({ length: 29 }, onlyOnes)) await tried(stub, names, 'declined');
  vi.setSystemTime(start + 10 * 60_000);
  for (let tries = 0; tries < 5; tries += 1)
    expect(await tried(stub, ['a'], 'declined')).toBeNull();
});

test('no name stays longer than it counts', async () => {
  const stub = await surging();
  const kept = () =>
    runInDurableObject(stub, async (object: CardLimiter, { storage }) => {
      await object.alarm();
      const rows = storage.sql.exec('SELECT name FROM card_attempts').toArray();
      return [
        rows.length,
        storage.kv.get('protected-until') === undefined,
        await storage.getAlarm(),
      ];
    });
  expect((await kept())[0]).toBe(60);
  vi.setSystemTime(start + hour);
  await runInDurableObject(stub, (_: CardLimiter, { storage }) => storage.deleteAlarm());
  expect(await kept()).toEqual([0, true, null]);
});
