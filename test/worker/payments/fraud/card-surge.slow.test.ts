import { env, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CardLimiter } from '../../../../worker/payments/fraud/card-limiter-object.ts';
import { CardSurge } from '../../../../worker/payments/fraud/card-surge-object.ts';
import {
  bucketMs,
  firstBucket,
  isSurge,
  reportIntervalMs,
  surge,
} from '../../../../worker/payments/fraud/rules/card-limits.ts';
import { captureLogEvents, hourMs, scaled } from '../payments-fixture.ts';
import { runAlarms } from './due-alarms.ts';

/** A separate day for each test and run, on which no alarm is due by itself. */
let start = Date.parse('2030-01-01T10:00:00Z');
const names = ['north', 'east', 'south', 'west'];
const limiters = names.map((name) => env.CARD_LIMITER.getByName(name));
const sum = env.CARD_SURGE.getByName('all');

function newDay(): void {
  start += 24 * hourMs;
  vi.useFakeTimers({ toFake: ['Date'], now: start });
}
beforeEach(newDay);

const stored = () =>
  runInDurableObject(sum, (_: CardSurge, { storage }) =>
    storage.sql
      .exec<{ declined: number; decided: number }>(
        `SELECT IFNULL(SUM(declined), 0) AS declined, IFNULL(SUM(decided), 0) AS decided
         FROM buckets WHERE bucket >= ?`,
        firstBucket(Date.now()),
      )
      .one(),
  );

interface Decision {
  at: number;
  declined: boolean;
}

const count = (decisions: readonly Decision[], declined: boolean, from: number, to: number) =>
  decisions.filter((one) => one.declined === declined && one.at >= from && one.at <= to).length;

/** The smallest and largest sum allowed, compared with a direct count over all limiters. */
function bounds(decisions: readonly Decision[], declined: boolean) {
  const now = Date.now();
  return {
    least: count(decisions, declined, now - surge.windowMs + 1, now - reportIntervalMs),
    most: count(decisions, declined, firstBucket(now) * bucketMs, now),
  };
}

const step = fc.record({
  pauseMs: fc.oneof(
    fc.nat(2_000),
    fc.nat(20_000),
    fc.constantFrom(0, bucketMs, reportIntervalMs, surge.windowMs),
  ),
  limiter: fc.nat(names.length - 1),
  declined: fc.integer({ min: 0, max: 20 }),
  paid: fc.integer({ min: 0, max: 4 }),
});

test('card surge: the sum differs from a direct count only by the last five and the first ten seconds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      newDay();
      const decisions: Decision[] = [];
      let protectionPossibleAt = Number.NEGATIVE_INFINITY;
      for (const { pauseMs, limiter, ...results } of steps) {
        vi.setSystemTime(Date.now() + pauseMs);
        await runAlarms(names);
        for (const [result, times] of Object.entries(results)) {
          for (let at = 0; at < times; at += 1) {
            const declined = result === 'declined';
            await limiters[limiter]?.recordDecision(crypto.randomUUID(), declined);
            decisions.push({ at: Date.now(), declined });
          }
        }
        const [declines, sales] = [bounds(decisions, true), bounds(decisions, false)];
        const { declined, decided } = await stored();
        expect(declined).toBeGreaterThanOrEqual(declines.least);
        expect(declined).toBeLessThanOrEqual(declines.most);
        expect(decided - declined).toBeGreaterThanOrEqual(sales.least);
        expect(decided - declined).toBeLessThanOrEqual(sales.most);
        if (isSurge(declines.most, declines.most + sales.least)) protectionPossibleAt = Date.now();
        const isProtected = (await sum.report('reader', [])) > Date.now();
        if (isSurge(declines.least, declines.least + sales.most)) expect(isProtected).toBe(true);
        if (protectionPossibleAt + surge.durationMs <= Date.now()) expect(isProtected).toBe(false);
      }
    }),
    { numRuns: scaled(200) },
  );
});

test('card surge: a thousand concurrent decisions are one report of each limiter, and one more after five seconds', async () => {
  const report = vi.spyOn(CardSurge.prototype, 'report');
  const all = Array.from({ length: 1000 }, (_, at) =>
    limiters[at % names.length]?.recordDecision(`${at}`, true),
  );
  await Promise.all(all);
  expect(report).toHaveBeenCalledTimes(names.length);
  vi.setSystemTime(start + reportIntervalMs);
  await runAlarms(names);
  expect(report).toHaveBeenCalledTimes(2 * names.length);
  expect(await stored()).toEqual({ declined: 1000, decided: 1000 });
  report.mockRestore();
});

test('card surge: decisions missed while the sum did not respond arrive with the next report, and repeated reports count once', async () => {
  const logged = captureLogEvents();
  const [limiter] = limiters;
  if (!limiter) throw new Error('no limiter');
  const withSum = (report: () => Promise<number>) =>
    runInDurableObject(limiter, (object: CardLimiter) => {
      const CARD_SURGE = { getByName: () => ({ report }) };
      Object.defineProperty(object, 'env', { value: { ...env, CARD_SURGE }, configurable: true });
    });
  await withSum(() => Promise.reject(new TypeError('down')));
  await limiter.recordDecision('a', true);
  vi.setSystemTime(start + 2 * bucketMs);
  await limiter.recordDecision('b', false);
  expect(logged()).toEqual(['card_surge_report_failed', 'card_surge_report_failed']);
  expect(await stored()).toEqual({ declined: 0, decided: 0 });
  await runInDurableObject(limiter, (object: CardLimiter) => {
    Object.defineProperty(object, 'env', { value: env, configurable: true });
  });
  vi.setSystemTime(start + 3 * bucketMs);
  await runAlarms(names);
  expect(await stored()).toEqual({ declined: 1, decided: 2 });
  const late = { bucket: firstBucket(start + surge.windowMs), declined: 0, decided: 0 };
  await sum.report(`${limiter.id}`, [late, late]);
  expect(await stored()).toEqual({ declined: 1, decided: 2 });
});
