import { expect, test, vi } from 'vitest';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { buyer, forgetIntros, gateways, minuteMs, stubGateways } from '../payments-fixture.ts';
import { driveObject } from './driven-object.ts';
import { payers } from './provider-side.ts';

type Fakes = ReturnType<typeof stubGateways>;

const capturedAmounts = (fakes: Fakes) => fakes.captured().map(({ amount }) => amount);

/** A payer who reloads during the bank's challenge and enters another card. */
async function challenged(
  gateway: (typeof gateways)[number],
  act: (payer: {
    fakes: Fakes;
    first: () => AttemptAnswer;
    enterAnother(change?: object): Promise<string>;
    run(): Promise<void>;
    state(pollingId: string): string;
    setDown(isDown: boolean): void;
  }) => Promise<void>,
) {
  await forgetIntros();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 2, 1, 12) });
  let isDown = false;
  const fakes = stubGateways({
    wrap: (next) => (input, init) =>
      isDown ? Promise.reject(new TypeError('network')) : next(input, init),
  });
  const { stub, purchase } = buyer({ gateway, nonce: await payers[gateway].nonce(fakes) });
  await driveObject(stub, async (driven) => {
    const ring = async () => {
      const due = () => (driven.alarm() ?? Number.POSITIVE_INFINITY) <= Date.now();
      for (let rings = 0; rings < 20 && due(); rings += 1)
        await driven.run((object) => object.alarm());
    };
    const id = await driven.startPurchase({ ...purchase, isEntered: true });
    await ring();
    expect(driven.attempt(id).state).toBe('challenged');
    await act({
      fakes,
      first: () => driven.attempt(id),
      async enterAnother(change = {}) {
        const other = { ...purchase, nonce: approved[gateway], isEntered: true, ...change };
        const pollingId = await driven.startPurchase(other);
        await ring();
        return pollingId;
      },
      run: () => driven.runDueAlarms(),
      state: (pollingId) => driven.attempt(pollingId).state,
      setDown: (value) => {
        isDown = value;
      },
    });
  });
}

test.each(gateways)(
  'left challenge: %s: another card that is entered is charged, and the first one never',
  (gateway) =>
    challenged(gateway, async ({ fakes, first, enterAnother, state, run }) => {
      const { paymentId } = first();
      const second = await enterAnother();
      expect([first().state, state(second)]).toEqual(['failed', 'active']);
      if (gateway === 'stripe')
        expect(fakes.stripe.state.payment_intents[paymentId ?? '']?.status).toBe('canceled');
      // The first card's window is still open in another tab.
      await payers[gateway].answer(fakes, first(), 'authenticated');
      await run();
      expect(capturedAmounts(fakes)).toEqual([3999]);
    }),
);

test.each(gateways)(
  'left challenge: %s: a nonce without the mark continues the challenge',
  (gateway) =>
    challenged(gateway, async ({ fakes, first, enterAnother, state }) => {
      const back = await payers[gateway].answer(fakes, first(), 'authenticated');
      const again = await enterAnother({ isEntered: false, ...back });
      expect([again, state(again)]).toEqual([first().pollingId, 'active']);
      expect(capturedAmounts(fakes)).toEqual([3999]);
    }),
);

test('left challenge: a payment that the bank confirmed meanwhile is the result, and the other card is not charged', () =>
  challenged('stripe', async ({ fakes, first, enterAnother, state }) => {
    await payers.stripe.answer(fakes, first(), 'authenticated');
    const second = await enterAnother();
    expect([second, state(second)]).toEqual([first().pollingId, 'active']);
    expect(capturedAmounts(fakes)).toEqual([3999]);
  }));

test('left challenge: while the gateway does not answer the first payment stays open, then the other card is charged', () =>
  challenged('stripe', async ({ fakes, first, enterAnother, state, setDown, run }) => {
    setDown(true);
    expect(await enterAnother()).toBe(first().pollingId);
    expect(first().state).toBe('returned');
    setDown(false);
    await run();
    expect(first().state).toBe('failed');
    vi.setSystemTime(Date.now() + minuteMs);
    expect(state(await enterAnother())).toBe('active');
    expect(capturedAmounts(fakes)).toEqual([3999]);
  }));
