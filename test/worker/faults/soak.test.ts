import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import { withFaultsButSales } from '../../fakes/faults.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { auditAccount, kept, openBanks, seeded, settle } from '../payments/payments-fixture.ts';
import { answerOf } from './faulty-binding.ts';
import { flakyBindings } from './flaky-fetch.ts';
import { visitors } from './visitors.ts';

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
/** Three minutes of the full proof; a few visitors of `npm test`. */
const long = 180_000;
const few = 8;
const atOnce = 8;

/** Not a spy: that would keep every line. */
const tell = console.log.bind(console);
const silent = { log: tell, debug() {}, info() {}, warn() {}, error() {} };

beforeEach(() => void vi.stubGlobal('console', silent));
afterEach(() => void vi.unstubAllGlobals());

const { come, pay, counts } = visitors((path, init) => answerOf(path, init, down));

/** @returns the account */
async function visit(number: number): Promise<string> {
  const { account, token } = await come();
  const stub = env.PURCHASES.getByName(account);
  auditAccount(stub);
  await runInDurableObject(stub, (object: Purchases) => {
    Object.defineProperty(object, 'env', { value: down, configurable: true });
  });
  await pay(number, token);
  return account;
}

/** The sum of the copied ledger, in minor units. */
const copied = () => env.DB.prepare('SELECT SUM(amount) AS sum FROM ledger').first<number>('sum');

test('visitors pay while 5 of 100 calls to everything fail: the ledger is the banks’', {
  timeout: 900_000,
}, async () => {
  const banks = openBanks({ line: (next) => withFaultsButSales(next, odds) });
  const accounts: string[] = [];
  const start = Date.now();
  const goesOn = () => (env.FULL ? Date.now() - start < long : accounts.length < few);
  while (goesOn()) {
    accounts.push(...(await Promise.all(Array.from({ length: atOnce }, (_, at) => visit(at)))));
  }
  const taken = kept(banks.taken());
  expect(taken.map(({ amount }) => amount).sort()).toEqual(
    accounts.flatMap(() => [3999, 699]).sort(),
  );
  await vi.waitFor(async () => {
    for (const account of accounts) await settle(env.PURCHASES.getByName(account));
    expect(await copied()).toBe(accounts.length * (3999 + 699));
  }, pollTimeout);
  expect(faults).toBeGreaterThan(0);
  expect(counts.declined).toBe(accounts.length / 2);
  tell(JSON.stringify({ ...counts, faults, accounts: accounts.length }));
});
