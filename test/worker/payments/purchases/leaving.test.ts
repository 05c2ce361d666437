import { afterEach, expect, test, vi } from 'vitest';
import { buyer, openBank } from '../payments-fixture.ts';
import { drive, type Gate } from './driven-object.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('deletion: a purchase that arrives after the account’s deletion is refused', async () => {
  const bank = openBank();
  const { stub, purchase } = buyer();
  expect(await stub.deleteAccount(async () => null)).toMatchObject({
    kind: 'deleted',
    subscriptions: [],
  });
  expect(await stub.buy(purchase)).toEqual({ kind: 'refused', refusal: 'unauthorized' });
  expect(bank.captures()).toEqual([]);
});

test.each([1, 2, 3])(
  'deletion: an account deleted at await %i of the alarm handler is erased',
  async (at) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const bank = openBank();
    const { stub, purchase } = buyer();
    let left: Promise<unknown> | undefined;
    let awaits = Number.NEGATIVE_INFINITY;
    let leave = async (): Promise<unknown> => undefined;
    const gate: Gate = async (act) => {
      const done = await act();
      awaits += 1;
      if (awaits === at) {
        left = leave();
        await left;
      }
      return done;
    };
    await drive(
      stub,
      async (driven) => {
        const { id } = await driven.buy(purchase);
        await driven.run((object) => object.cancelSubscription(id));
        await driven.rest();
        // Nothing is left to do but to tell of it.
        await driven.run((object) => object.sync());
        leave = () => driven.object().deleteAccount(async () => null);
        awaits = 0;
        await driven.rest();
      },
      gate,
    );
    expect(left).toBeDefined();
    expect(Object.values(bank.state.customers).map(({ email }) => email || '')).toEqual(['']);
  },
);
