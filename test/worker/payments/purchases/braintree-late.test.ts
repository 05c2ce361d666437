import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buyer, openBanks } from '../payments-fixture.ts';
import { type Driven, drive } from './driven-object.ts';

const minute = 60_000;
const hour = 60 * minute;

let said: { level: string; event: string; state?: string }[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  said = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void said.push(JSON.parse(String(line))));
  }
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const told = () =>
  said.filter(({ event }) => event === 'outcome_unknown').map(({ level, state }) => [level, state]);

/** Lets so much time pass, with every alarm that is due in it. */
async function pass(driven: Driven, ms: number) {
  const until = Date.now() + ms;
  while ((driven.alarm() ?? Number.POSITIVE_INFINITY) <= until) {
    vi.setSystemTime(Math.max(Date.now(), driven.alarm() ?? 0));
    await driven.run((object) => object.alarm());
  }
  vi.setSystemTime(until);
}

type Call = 'ok' | 'no reply' | 'never arrives' | 'down';

/** An account, and a line to Braintree that the test breaks for its charges, or for everything. */
function shop(searchLag: number) {
  const line = { charge: 'ok' as Call, rest: 'ok' as Call };
  const banks = openBanks({
    searchLag,
    now: () => Date.now(),
    line: (next) => async (input, init) => {
      const request = new Request(input, init);
      const charging = (await request.clone().text()).includes('mutation Charge');
      const now = charging ? line.charge : line.rest;
      if (now === 'never arrives') throw new TypeError('Network connection lost.');
      if (now === 'down') return new Response(null, { status: 503 });
      const answer = await next(request);
      if (now === 'no reply') throw new TypeError('Network connection lost.');
      return answer;
    },
  });
  const { stub, purchase } = buyer({ gateway: 'braintree', nonce: 'fake-valid-nonce' });
  const upsell = { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null };
  return { ...banks, line, stub, purchase, upsell };
}

const opened = async (driven: Driven, purchase: ReturnType<typeof shop>['purchase']) => {
  const answer = await driven.run((object) => object.buy(purchase));
  if (answer.kind === 'refused') throw new Error(answer.refusal);
  return () => driven.object().result(answer.pollingId)?.state;
};

test('Braintree: a saved card’s charge whose reply was lost is found half an hour later', async () => {
  const { line, stub, purchase, upsell, taken } = shop(30 * minute);
  await drive(stub, async (driven) => {
    await driven.buy(purchase);
    await pass(driven, hour);
    line.charge = 'no reply';
    const state = await opened(driven, upsell);
    await pass(driven, 29 * minute);
    expect(state()).toBe('sent');
    await pass(driven, 10 * minute);
    expect(state()).toBe('active');
    expect(taken().map(({ amount, refunded }) => [amount, refunded])).toEqual([
      [3999, 0],
      [799, 0],
    ]);
    expect(told()).toEqual([]);
  });
});

test('Braintree: a saved card’s charge that never arrived fails within a day, without an operator case', async () => {
  const { line, stub, purchase, upsell, taken } = shop(minute);
  await drive(stub, async (driven) => {
    await driven.buy(purchase);
    line.charge = 'never arrives';
    const state = await opened(driven, upsell);
    await pass(driven, 12 * hour);
    expect(state()).toBe('sent');
    await pass(driven, 14 * hour);
    expect(state()).toBe('failed');
    expect(told()).toEqual([]);
    line.charge = 'ok';
    expect((await driven.buy(upsell)).state).toBe('active');
    expect(taken()).toHaveLength(2);
  });
});

test.each(['nonce', 'saved card'])(
  'Braintree: a charge by %s that stays unknown for a day becomes an operator case until it is known',
  async (by) => {
    const { line, stub, purchase, upsell, taken } = shop(minute);
    await drive(stub, async (driven) => {
      if (by === 'saved card') await driven.buy(purchase);
      line.charge = 'no reply';
      const state = await opened(driven, by === 'nonce' ? purchase : upsell);
      await driven.run((object) => object.alarm());
      line.rest = 'down';
      await pass(driven, 23 * hour);
      expect([state(), told()]).toEqual(['sent', []]);
      await pass(driven, 3 * hour);
      expect([state(), told()]).toEqual(['sent', [['error', 'open']]]);
      await pass(driven, 24 * hour);
      expect(told()).toHaveLength(2);
      line.rest = 'ok';
      await pass(driven, 2 * hour);
      expect([state(), told().at(-1)]).toEqual(['active', ['info', 'resolved']]);
      expect(taken().at(-1)).toMatchObject({ amount: by === 'nonce' ? 3999 : 799, refunded: 0 });
    });
  },
);
