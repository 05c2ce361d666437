import { env, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Purchases } from '../../../worker/purchases.ts';
import { patience } from '../../patience.ts';
import { settle } from '../post.ts';
import { openBank, seeded } from '../purchases/bank.ts';
import { auditAccount, takenAtStripe } from '../purchases/books.ts';
import { answerOf, flakyBindings } from './faulty.ts';

const counts = { pages: 0, calls: 0, refused: 0, faults: 0 };
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

/** A visitor from the landing to the success screen. @returns the account */
async function visit(): Promise<string> {
  const { access_token: token, entity } = await come();
  const account = entity.external_user_id;
  const stub = env.PURCHASES.getByName(account);
  auditAccount(stub);
  await runInDurableObject(stub, (object: Purchases) => {
    Object.defineProperty(object, 'env', { value: down, configurable: true });
  });
  await look('/checkout_v3_tr');
  for (const [plan, nonce] of [
    ['monthly_7d_usd', 'pm_card_visa'],
    ['upsell_monthly_799_usd', null],
  ]) {
    const order = { gateway: 'stripe', payment_method_nonce: nonce };
    const opened = await call<Opened>(`/users/me/subscriptions/polling/${plan}`, order, token);
    const id = opened.data.polling_result_id;
    await vi.waitFor(async () => {
      const { data } = await call<Polled>(`/polling/get-result/${id}`);
      expect(data?.result_data?.status).toBe('active');
    }, patience);
  }
  await look('/success');
  await call('/users/me/purchases', undefined, token);
  return account;
}

/** The sum of the copied ledger, in minor units. */
const copied = () => env.DB.prepare('SELECT SUM(amount) AS sum FROM ledger').first<number>('sum');

test('visitors pay while 5 of 100 calls to everything fail: the ledger is the bank’s', {
  timeout: 900_000,
}, async () => {
  const bank = openBank(odds);
  const accounts: string[] = [];
  const start = Date.now();
  const goesOn = () => (env.PROVE ? Date.now() - start < long : accounts.length < few);
  while (goesOn()) {
    accounts.push(...(await Promise.all(Array.from({ length: atOnce }, visit))));
  }
  const taken = takenAtStripe(bank);
  expect(taken.map(({ amount }) => amount).sort()).toEqual(
    accounts.flatMap(() => [699, 799]).sort(),
  );
  await vi.waitFor(async () => {
    for (const account of accounts) await settle(env.PURCHASES.getByName(account));
    expect(await copied()).toBe(accounts.length * (699 + 799));
  }, patience);
  expect(counts.faults).toBeGreaterThan(0);
  tell(JSON.stringify({ ...counts, accounts: accounts.length }));
});
