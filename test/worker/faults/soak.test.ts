import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../worker/funnel/purchase.ts';
import type { Purchases } from '../../../worker/purchases.ts';
import { patience } from '../../patience.ts';
import { settle } from '../post.ts';
import { seeded } from '../purchases/bank.ts';
import { approved, declining, kept, openBanks } from '../purchases/banks.ts';
import { auditAccount } from '../purchases/books.ts';
import { answerOf, flakyBindings } from './faulty.ts';

const counts = { pages: 0, calls: 0, refused: 0, faults: 0, declined: 0 };
const rate = 0.05;
const draw = seeded(Date.now());
const random = () => {
  const drawn = draw();
  if (drawn < rate) counts.faults += 1;
  return drawn;
};
const odds = { rate, random };
const down = flakyBindings(odds);
/** Three minutes of the full proof; a few visitors of `npm test`. */
const long = 180_000;
const few = 8;
const atOnce = 8;

/** Not a spy: that would keep every line. */
const tell = console.log.bind(console);
const silent = { log: tell, debug() {}, info() {}, warn() {}, error() {} };

beforeEach(() => void vi.stubGlobal('console', silent));
afterEach(() => void vi.unstubAllGlobals());

async function look(path: string): Promise<void> {
  const headers = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' };
  const { status } = await answerOf(path, { headers }, down);
  expect([path, status]).toEqual([path, 200]);
  counts.pages += 1;
}

/** A call of the API, made again like a visitor does while it says that it could not be done. */
async function call<Body>(path: string, body?: object, token?: string): Promise<Body> {
  for (;;) {
    const init = {
      method: body ? 'POST' : 'GET',
      headers: {
        'accept-language': 'en',
        'user-agent': 'Mozilla/5.0',
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const answer = await answerOf(`/api/v1${path}`, init, down);
    counts.calls += 1;
    if (answer.status === 503) {
      counts.refused += 1;
      continue;
    }
    expect([path, answer.status, answer.body]).toEqual([
      path,
      expect.toSatisfy((status: number) => status < 300),
      answer.body,
    ]);
    return (answer.body ? JSON.parse(answer.body) : {}) as Body;
  }
}

interface SignedUp {
  data: { access_token: string; entity: { external_user_id: string } };
}
interface Opened {
  data: { polling_result_id: string };
}
interface Polled {
  data?: { result_data: { status: string } | null };
  errors?: { code: string };
}

/** A visitor who lands, is counted, and signs up. */
async function come(): Promise<SignedUp['data']> {
  await look('/');
  const event = { id: crypto.randomUUID(), name: 'session_start', properties: {} };
  await call('/events', { events: [event] });
  const { data } = await call<SignedUp>('/signup', {
    email: `${crypto.randomUUID()}@example.com`,
    user_uuid: crypto.randomUUID(),
    landing_type: 'split_fullPrice',
  });
  return data;
}

/** Orders a plan, and polls until it is known what came of that. */
async function order(plan: string, gateway: GatewayName, nonce: string | null, token: string) {
  const opened = await call<Opened>(
    `/users/me/subscriptions/polling/${plan}`,
    { gateway, payment_method_nonce: nonce },
    token,
  );
  return vi.waitFor(async () => {
    const id = opened.data.polling_result_id;
    const { data, errors } = await call<Polled>(`/polling/get-result/${id}`);
    const known = errors?.code ?? data?.result_data?.status;
    expect(known).toBeDefined();
    return known;
  }, patience);
}

/**
 * A visitor from the landing to the success screen: one of two pays at Braintree, and one of two has a
 * card first that the bank declines.
 *
 * @returns the account
 */
async function visit(number: number): Promise<string> {
  const gateway = number % 2 === 0 ? 'stripe' : 'braintree';
  const { access_token: token, entity } = await come();
  const account = entity.external_user_id;
  const stub = env.PURCHASES.getByName(account);
  auditAccount(stub);
  await runInDurableObject(stub, (object: Purchases) => {
    Object.defineProperty(object, 'env', { value: down, configurable: true });
  });
  await look('/checkout_v3_tr');
  if (number % 4 < 2) {
    expect(await order('monthly_7d_usd', gateway, declining[gateway], token)).toBe('card_declined');
    counts.declined += 1;
  }
  expect(await order('monthly_7d_usd', gateway, approved[gateway], token)).toBe('active');
  expect(await order('upsell_monthly_799_usd', gateway, null, token)).toBe('active');
  await look('/success');
  await call('/users/me/purchases', undefined, token);
  return account;
}

/** The sum of the copied ledger, in minor units. */
const copied = () => env.DB.prepare('SELECT SUM(amount) AS sum FROM ledger').first<number>('sum');

test('visitors pay while 5 of 100 calls to everything fail: the ledger is the banks’', {
  timeout: 900_000,
}, async () => {
  const banks = openBanks({ faults: odds });
  const accounts: string[] = [];
  const start = Date.now();
  const goesOn = () => (env.PROVE ? Date.now() - start < long : accounts.length < few);
  while (goesOn()) {
    accounts.push(...(await Promise.all(Array.from({ length: atOnce }, (_, at) => visit(at)))));
  }
  const taken = kept(banks.taken());
  expect(taken.map(({ amount }) => amount).sort()).toEqual(
    accounts.flatMap(() => [699, 799]).sort(),
  );
  await vi.waitFor(async () => {
    for (const account of accounts) await settle(env.PURCHASES.getByName(account));
    expect(await copied()).toBe(accounts.length * (699 + 799));
  }, patience);
  expect(counts.faults).toBeGreaterThan(0);
  expect(counts.declined).toBe(accounts.length / 2);
  tell(JSON.stringify({ ...counts, accounts: accounts.length }));
});
