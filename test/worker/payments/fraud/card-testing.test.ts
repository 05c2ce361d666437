import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import { CardAttemptCounter } from '../../../../worker/payments/fraud/card-attempt-counter.ts';
import type {
  CardAttemptResult,
  CardLimiter,
} from '../../../../worker/payments/fraud/card-limiter-object.ts';
import type { PurchaseResponse, Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { Attempt } from '../../../../worker/payments/rules/attempt.ts';
import { attempt } from '../attempt-fixture.ts';
import { buy, buyer, hourMs, listen, openBank, quietly, scaled } from '../payments-fixture.ts';

const start = Date.parse('2026-11-20T10:00:00Z');
quietly();

let logged: () => string[];

beforeEach(() => {
  logged = listen();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
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
  vi.setSystemTime(start + hourMs);
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
  vi.setSystemTime(start + hourMs);
  await runInDurableObject(stub, (_: CardLimiter, { storage }) => storage.deleteAlarm());
  expect(await kept()).toEqual([0, true, null]);
});

/** A counter that notes what it is told, and answers as told. */
function fakeLimiter(answer: () => Promise<string | null>) {
  const calls: unknown[][] = [];
  const stub = {
    countAttempt: (...all: unknown[]) => {
      calls.push(['countAttempt', ...all]);
      return answer();
    },
    recordResult: (...all: unknown[]) => {
      calls.push(['recordResult', ...all]);
      return answer();
    },
  };
  return { calls, CARD_LIMITER: { getByName: () => stub } };
}

function withTries<T>(CARD_LIMITER: object, use: (tries: CardAttemptCounter) => Promise<T>) {
  const { stub } = buyer();
  const more = { ...env, CARD_LIMITER } as unknown as Env;
  return runInDurableObject(stub, (_: Purchases, { storage }) =>
    use(new CardAttemptCounter(storage.kv, more)),
  );
}

test.each<[Partial<Attempt>, string]>([
  [{ state: 'active' }, 'paid'],
  [{ state: 'declined' }, 'declined'],
  [{ state: 'failed', challengedAt: 1 }, 'unpaid'],
  [{ state: 'failed' }, 'undecided'],
])('card testing: an attempt %j is reported as %s, once', async (change, result) => {
  const { calls, CARD_LIMITER } = fakeLimiter(async () => null);
  await withTries(CARD_LIMITER, async (tries) => {
    tries.markCounted('a');
    await tries.reportResults(() => attempt({ state: 'sent' }));
    await tries.reportResults(() => attempt(change));
    await tries.reportResults(() => attempt(change));
  });
  expect(calls).toEqual([['recordResult', 'a', result]]);
});

const silent = (): Promise<null> => Promise.reject(new TypeError('down'));

test('card testing: without the limiter purchases go on and are reported later', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  let answer: () => Promise<null> = silent;
  const { calls, CARD_LIMITER } = fakeLimiter(() => answer());
  await withTries(CARD_LIMITER, async (tries) => {
    expect(await tries.count('a', ['visitor:1'])).toBeNull();
    tries.markCounted('a');
    await tries.reportResults(() => attempt({ state: 'active' }));
    answer = async () => null;
    await tries.reportResults(() => attempt({ state: 'active' }));
  });
  expect(calls.map(([what]) => what)).toEqual(['countAttempt', 'recordResult', 'recordResult']);
  expect(said.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toEqual([
    'card_limiter_timeout',
    'card_limiter_timeout',
  ]);
});

test('card testing: the limiter has a timeout of a second', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { CARD_LIMITER } = fakeLimiter(() => new Promise(() => {}));
  expect(await withTries(CARD_LIMITER, (tries) => tries.count('a', []))).toBeNull();
});

test('card testing: an IP has five unpaid attempts, whatever the number of purchases', async () => {
  openBank();
  const payer = [`address:${crypto.randomUUID()}`];
  for (let paid = 0; paid < 6; paid += 1) {
    const { stub, purchase } = buyer({ cardCounterNames: payer });
    expect((await buy(stub, purchase)).state).toBe('active');
  }
  const all = Array.from({ length: scaled(1000) }, () =>
    buyer({ cardCounterNames: payer, nonce: 'pm_card_visa_chargeDeclined' }),
  );
  const opened = await Promise.all(
    all.map(({ stub, purchase }): Promise<PurchaseResponse> => stub.buy(purchase)),
  );
  const refused = opened.filter(
    (one) => one.kind === 'refused' && one.refusal === 'too_many_declines',
  );
  expect(all.length - refused.length).toBe(5);
});
