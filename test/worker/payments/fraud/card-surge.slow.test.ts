import { env, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  type CardLimiter,
  cardLimiter,
} from '../../../../worker/payments/fraud/card-limiter-object.ts';
import {
  bucketMs,
  firstBucket,
  isSurge,
  surge,
} from '../../../../worker/payments/fraud/rules/card-limits.ts';
import { hourMs, scaled } from '../payments-fixture.ts';

/** A separate day for each test and run, on which no alarm is due by itself. */
let start = Date.parse('2030-01-01T10:00:00Z');
const limiter = cardLimiter(env);

function newDay(): void {
  start += 24 * hourMs;
  vi.useFakeTimers({ toFake: ['Date'], now: start });
}
beforeEach(newDay);

const isProtected = () =>
  runInDurableObject(
    limiter,
    (_: CardLimiter, { storage }) => (storage.kv.get<number>('protected-until') ?? 0) > Date.now(),
  );

const step = fc.record({
  pauseMs: fc.oneof(
    fc.nat(2_000),
    fc.nat(20_000),
    fc.constantFrom(0, bucketMs, surge.windowMs, surge.durationMs),
  ),
  declined: fc.integer({ min: 0, max: 20 }),
  paid: fc.integer({ min: 0, max: 4 }),
});

test('card surge: the protection begins and ends as a direct count of the decisions says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      newDay();
      const decisions: { at: number; result: string }[] = [];
      let surgeAt = Number.NEGATIVE_INFINITY;
      for (const { pauseMs, declined, paid } of steps) {
        vi.setSystemTime(Date.now() + pauseMs);
        const results = [
          ...Array<'declined'>(declined).fill('declined'),
          ...Array<'paid'>(paid).fill('paid'),
        ];
        for (const result of results) {
          await limiter.recordResult(crypto.randomUUID(), result);
          decisions.push({ at: Date.now(), result });
          const recent = decisions.filter(({ at }) => at >= firstBucket(Date.now()) * bucketMs);
          const declines = recent.filter((one) => one.result === 'declined');
          if (isSurge(declines.length, recent.length)) surgeAt = Date.now();
        }
        expect(await isProtected()).toBe(Date.now() < surgeAt + surge.durationMs);
      }
    }),
    { numRuns: scaled(200) },
  );
});

test('card surge: a result that is reported a thousand times counts once', async () => {
  const all = Array.from({ length: 1000 }, (_, at) =>
    limiter.recordResult(`${at % 29}`, 'declined'),
  );
  await Promise.all(all);
  expect(await isProtected()).toBe(false);
  await limiter.recordResult('29', 'declined');
  expect(await isProtected()).toBe(true);
});
