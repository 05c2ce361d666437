import {
  createExecutionContext,
  env,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import worker from '../../../worker/index.ts';
import { reconcileNightly } from '../../../worker/monitoring/nightly-reconciliation.ts';
import type { NightlyResult } from '../../../worker/monitoring/rules/nightly-result.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import { logger } from '../../../worker/platform/log.ts';
import { withFaultsButSales } from '../../fakes/faults.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { seeded } from '../../seeded-random.ts';
import {
  auditAccount,
  dayMs,
  hourMs,
  minuteMs,
  runAlarm,
  stubGateways,
  unrefunded,
} from '../payments/payments-fixture.ts';
import { answerOf } from './faulty-binding.ts';
import { flakyBindings } from './flaky-fetch.ts';
import { visitors } from './simulated-visitors.ts';

let faults = 0;
const rate = 0.05;
const draw = seeded(Date.now());
const random = () => {
  const drawn = draw();
  if (drawn < rate) faults += 1;
  return drawn;
};
const odds = { rate, random };
const down = flakyBindings(env, odds);
/** Three minutes in the full run; a few visitors in `npm test`. */
const long = 180_000;
const few = 8;
const atOnce = 8;

/** Not a spy, which would store every line. */
const report = console.log.bind(console);
const silent = { log: report, debug() {}, info() {}, warn() {}, error() {} };

beforeEach(() => void vi.stubGlobal('console', silent));
const { signUp, pay, counts } = visitors((path, init) => answerOf(path, init, down));

/** @returns the account */
async function visit(number: number): Promise<string> {
  const { account, token } = await signUp();
  const stub = env.PURCHASES.getByName(account);
  auditAccount(stub);
  await runInDurableObject(stub, (object: Purchases) => {
    Object.defineProperty(object, 'env', { value: down, configurable: true });
  });
  await pay(number, token);
  return account;
}

const monitor = env.MONITOR.getByName('monitor');
let minute = Math.floor(Date.now() / minuteMs);

/** The cron handler's next minute, with the same faults. It buys nothing besides the visitors. */
async function watch(): Promise<void> {
  minute += 1;
  const context = createExecutionContext();
  const watched = { ...down, PRODUCT_API_URL: 'https://product.test' };
  await worker.scheduled({ scheduledTime: minute * minuteMs }, watched, context as never);
  await waitOnExecutionContext(context);
}

/** The nightly reconciliation of a day, without what the cron handler has compared or left unfinished. */
async function reconciled(day: number): Promise<NightlyResult[]> {
  await monitor.saveNightly([]);
  const night = day + dayMs + 4 * hourMs;
  for (let at = 0; at < 60; at += 1) {
    // After a failure it continues a minute later, as in the cron handler.
    await reconcileNightly(env, night + at * minuteMs, logger()).catch(() => {});
    const { nightly } = await monitor.state();
    if (nightly.length > 0 && nightly.every(({ finishedAt }) => finishedAt)) return nightly;
  }
  throw new Error('not finished');
}

/** Of every day since then. */
async function reconciledSince(start: number): Promise<NightlyResult[]> {
  const results: NightlyResult[] = [];
  for (let day = start - (start % dayMs); day <= Date.now(); day += dayMs)
    results.push(...(await reconciled(day)));
  return results;
}

/** The sum of the copied ledger, in minor units. */
const copied = () => env.DB.prepare('SELECT SUM(amount) AS sum FROM ledger').first<number>('sum');

test('faults: visitors pay while 5 of 100 calls to every binding and vendor fail: the ledger equals the gateways’ records', {
  timeout: 900_000,
}, async () => {
  const fakes = stubGateways({ wrap: (next) => withFaultsButSales(next, odds) });
  const accounts: string[] = [];
  const start = Date.now();
  const shouldContinue = () => (env.FULL ? Date.now() - start < long : accounts.length < few);
  while (shouldContinue()) {
    accounts.push(...(await Promise.all(Array.from({ length: atOnce }, (_, at) => visit(at)))));
    await watch();
  }
  const captured = unrefunded(fakes.captured());
  expect(captured.map(({ amount }) => amount).sort()).toEqual(
    accounts.flatMap(() => [3999, 699]).sort(),
  );
  await vi.waitFor(async () => {
    for (const account of accounts) await runAlarm(env.PURCHASES.getByName(account));
    expect(await copied()).toBe(accounts.length * (3999 + 699));
  }, pollTimeout);
  expect(faults).toBeGreaterThan(0);
  await watch();
  const { incidents } = await monitor.state();
  expect(incidents.filter(({ kind }) => kind === 'unsold_money')).toEqual([]);
  const stripe = (await reconciledSince(start)).filter(({ gateway }) => gateway === 'stripe');
  expect(stripe.flatMap(({ differences }) => differences)).toEqual([]);
  const compared = stripe.reduce((sum, result) => sum + result.compared, 0);
  expect(compared).toBeGreaterThanOrEqual(accounts.length);
  expect(counts.declined).toBe(accounts.length / 2);
  report(JSON.stringify({ ...counts, faults, accounts: accounts.length }));
});
