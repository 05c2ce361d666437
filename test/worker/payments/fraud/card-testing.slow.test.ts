import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PurchaseResponse } from '../../../../worker/payments/attempts/checkout.ts';
import { CardAttemptCounter } from '../../../../worker/payments/fraud/card-attempt-counter.ts';
import {
  type CardLimiter,
  cardLimiter,
} from '../../../../worker/payments/fraud/card-limiter-object.ts';
import { bucketMs } from '../../../../worker/payments/fraud/rules/card-limits.ts';
import type { Attempt } from '../../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import type { Refused } from '../../../../worker/platform/errors.ts';
import { attempt } from '../attempts/attempt-fixture.ts';
import {
  awaitResult,
  buy,
  buyer,
  captureLogEvents,
  hourMs,
  runAlarm,
  scaled,
  stubStripe,
} from '../payments-fixture.ts';

/** A separate day for each test, on which no alarm is due by itself. */
let start = Date.parse('2030-11-20T10:00:00Z');
let logged: () => string[];

beforeEach(() => {
  logged = captureLogEvents();
  start += 24 * hourMs;
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});

let attemptCount = 0;
/** The attempts of one account, independent of its object. */
const asAccount = <T>(use: (counter: CardAttemptCounter) => Promise<T>): Promise<T> =>
  runInDurableObject(buyer().stub, (_: Purchases, { storage }) =>
    use(new CardAttemptCounter(storage.kv, env)),
  );
const countAttempt = (id: string, names: string[]): Promise<Refused | null> =>
  asAccount((counter) => counter.count(id, names));

const results = {
  paid: { state: 'active' },
  undecided: { state: 'failed' },
  declined: { state: 'declined' },
  unpaid: { state: 'failed', challengedAt: 1 },
} satisfies Record<string, Partial<Attempt>>;

/** A try that ends at once. */
async function attemptOnce(names: string[], result: keyof typeof results): Promise<Refused | null> {
  attemptCount += 1;
  const id = `try ${attemptCount}`;
  return asAccount(async (counter) => {
    const refusal = await counter.count(id, names);
    if (refusal) return refusal;
    counter.markCounted(id, names);
    await counter.reportResults(() => attempt(results[result]));
    return null;
  });
}
const uniqueNames = (_: unknown, index: number) => [`visitor:${index}`, `address:${index}`];

test.each([
  ['visitor', (index: number) => ['visitor:one', `address:${index}`]],
  ['address', (index: number) => [`visitor:${index}`, 'address:one']],
])(
  'card testing: of many concurrent attempts of one %s exactly five pass',
  async (_what, names) => {
    const answers = await asAccount((counter) =>
      Promise.all(
        Array.from({ length: scaled(1000) }, (__, index) =>
          counter.count(`t${index}`, names(index)),
        ),
      ),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(5);
    expect(new Set(answers.map((answer) => answer?.refusal))).toEqual(
      new Set([undefined, 'too_many_declines']),
    );
  },
);

test('card testing: an attempt that is reported a thousand times counts once', async () => {
  const all = await asAccount((counter) =>
    Promise.all(Array.from({ length: 1000 }, () => counter.count('t', ['a']))),
  );
  expect(new Set(all)).toEqual(new Set([null]));
  const more = await Promise.all([1, 2, 3, 4, 5].map((n) => countAttempt(`u${n}`, ['a'])));
  expect(more.filter((answer) => answer === null)).toHaveLength(4);
});

test.each<[keyof typeof results, string | undefined]>([
  ['paid', undefined],
  ['undecided', undefined],
  ['declined', 'too_many_declines'],
  ['unpaid', 'too_many_declines'],
])(
  'card testing: after five attempts that were %s the sixth is refused: %s',
  async (result, refusal) => {
    for (let tries = 0; tries < 5; tries += 1) await attemptOnce(['a'], result);
    expect((await countAttempt('sixth', ['a']))?.refusal).toBe(refusal);
  },
);

test('card testing: a refused attempt does not count, and after an hour no attempt counts', async () => {
  for (let tries = 0; tries < 5; tries += 1) await attemptOnce(['a', 'b'], 'declined');
  for (let tries = 0; tries < 5; tries += 1) await attemptOnce(['c', 'a'], 'declined');
  for (let tries = 0; tries < 5; tries += 1)
    expect(await countAttempt(`c ${tries}`, ['c'])).toBeNull();
  vi.setSystemTime(start + hourMs);
  expect(await countAttempt('again', ['a', 'b'])).toBeNull();
});

async function causeSurge(): Promise<void> {
  for (const names of Array.from({ length: 30 }, uniqueNames)) await attemptOnce(names, 'declined');
}

test('card testing: in a surge everybody’s first attempt passes, the second is refused, and the surge ends by itself', async () => {
  await causeSurge();
  expect(logged()).toEqual(['card_testing_detected']);
  expect(await attemptOnce(['new'], 'declined')).toBeNull();
  expect(await attemptOnce(['new'], 'declined')).toMatchObject({
    refusal: 'card_testing_protection',
  });
  expect(await attemptOnce(['paid'], 'paid')).toBeNull();
  expect(await attemptOnce(['paid'], 'paid')).toBeNull();
  vi.setSystemTime(start + 31 * 60_000);
  expect(await attemptOnce(['new'], 'declined')).toBeNull();
  expect(logged()).toEqual(['card_testing_detected', 'card_testing_cleared']);
});

test('card testing: many declines among many purchases are no surge', async () => {
  for (const names of Array.from({ length: 14 }, uniqueNames)) await attemptOnce(names, 'paid');
  await causeSurge();
  expect(await attemptOnce(['a'], 'declined')).toBeNull();
  expect(await attemptOnce(['a'], 'declined')).toBeNull();
});

test('card testing: declines of an earlier hour are no surge', async () => {
  for (const names of Array.from({ length: 29 }, uniqueNames)) await attemptOnce(names, 'declined');
  vi.setSystemTime(start + 10 * 60_000 + bucketMs);
  for (let tries = 0; tries < 5; tries += 1)
    expect(await attemptOnce(['a'], 'declined')).toBeNull();
});

test('card testing: a name is deleted once its attempts no longer count', async () => {
  await causeSurge();
  const kept = () =>
    runInDurableObject(cardLimiter(env), async (object: CardLimiter, { storage }) => {
      await storage.deleteAlarm();
      await object.alarm();
      const rows = storage.sql.exec('SELECT name FROM card_attempts').toArray();
      return { rows: rows.length, alarm: await storage.getAlarm() };
    });
  expect((await kept()).rows).toBe(60);
  vi.setSystemTime(start + 2 * hourMs);
  expect(await kept()).toEqual({ rows: 0, alarm: null });
});

/** A counter that records its calls, and returns these responses. */
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

function withCounter<T>(CARD_LIMITER: object, use: (tries: CardAttemptCounter) => Promise<T>) {
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
])('card testing: an attempt %j is reported once, as %s', async (change, result) => {
  const { calls, CARD_LIMITER } = fakeLimiter(async () => null);
  await withCounter(CARD_LIMITER, async (tries) => {
    tries.markCounted('a', ['visitor:1']);
    await tries.reportResults(() => attempt({ state: 'sent' }));
    await tries.reportResults(() => attempt(change));
    await tries.reportResults(() => attempt(change));
  });
  expect(calls).toEqual([['recordResult', 'a', result]]);
});

const limiterDown = (): Promise<null> => Promise.reject(new TypeError('down'));

test('card testing: without the limiter purchases go on and are reported later', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  let answer: () => Promise<null> = limiterDown;
  const { calls, CARD_LIMITER } = fakeLimiter(() => answer());
  await withCounter(CARD_LIMITER, async (tries) => {
    expect(await tries.count('a', ['visitor:1'])).toBeNull();
    tries.markCounted('a', []);
    tries.markCounted('b', ['visitor:1']);
    await tries.reportResults(() => attempt({ state: 'declined' }));
    answer = async () => null;
    await tries.reportResults(() => attempt({ state: 'declined' }));
  });
  expect(calls.map(([what]) => what)).toEqual(['countAttempt', 'recordResult', 'recordResult']);
  expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)).event)).toEqual([
    'card_limiter_timeout',
    'card_limiter_timeout',
  ]);
});

test('card testing: the limiter has a timeout of a second', async () => {
  const { CARD_LIMITER } = fakeLimiter(() => new Promise(() => {}));
  expect(await withCounter(CARD_LIMITER, (tries) => tries.count('a', ['visitor:1']))).toBeNull();
});

test('card testing: an IP has five unpaid attempts, whatever the number of purchases', async () => {
  vi.useRealTimers();
  stubStripe();
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

test.each(['first', 'last'])(
  'card testing: the release of %s by a concurrent refused request frees no attempt',
  async (place) => {
    vi.useRealTimers();
    stubStripe();
    const [full, address] = [`visitor:${crypto.randomUUID()}`, `address:${crypto.randomUUID()}`];
    const declined = { nonce: 'pm_card_visa_chargeDeclined' };
    for (let tries = 0; tries < 5; tries += 1) {
      const { stub, purchase } = buyer({ ...declined, cardCounterNames: [full] });
      expect((await buy(stub, purchase)).state).toBe('declined');
    }
    let opened = 0;
    for (let tries = 0; tries < 8; tries += 1) {
      const { stub, purchase } = buyer({
        ...declined,
        cardCounterNames: [`visitor:${crypto.randomUUID()}`, address],
      });
      const beside = { ...purchase, cardCounterNames: [full, address] };
      const all = place === 'first' ? [beside, purchase] : [purchase, beside];
      const answers = await Promise.all(all.map((one): Promise<PurchaseResponse> => stub.buy(one)));
      const accepted = answers.find((one) => one.kind === 'accepted');
      if (!accepted) continue;
      opened += 1;
      expect((await awaitResult(stub, accepted.pollingId)).state).toBe('declined');
      await runAlarm(stub);
    }
    expect(opened).toBeLessThanOrEqual(5);
  },
);
