import { runDurableObjectAlarm } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Reckoning } from '../../../worker/reckoning.ts';
import { buyer, known, open, scaled } from './bank.ts';
import { balances, kept, openBanks } from './banks.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const minute = 60_000;
const steps = [
  'confirm',
  'fail',
  'repeat',
  'late',
  'foreign intent',
  'wrong amount',
  'other currency',
  'look',
] as const;

/**
 * A payer whom the bank asks, doing anything in any order. Whatever they do, one charge at most is
 * taken, of the plan's own sum, and an intent that is not the attempt's is refused.
 */
test('the bank asks: any course of events takes one charge at most', { timeout: 1_200_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 8 }), async (course) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const bank = openBanks({ now: () => Date.now() });
      const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
      const asked = await known(stub, await open(stub, purchase));
      const paymentId = asked.paymentId ?? '';
      const intent = () => bank.stripe.state.payment_intents[paymentId];
      for (const step of course) {
        const mine = intent();
        const waits = mine?.status === 'requires_action';
        if (step === 'confirm' && waits) bank.stripe.challenge(paymentId, 'authenticated');
        if (step === 'fail' && waits) bank.stripe.challenge(paymentId, 'failed');
        if (step === 'late') vi.setSystemTime(Date.now() + 11 * minute);
        if (step === 'wrong amount' && mine) mine.amount = 1;
        if (step === 'other currency' && mine) mine.currency = 'eur';
        if (step === 'foreign intent') {
          const foreign = await stub.buy({ ...purchase, paymentId: 'pi_of_somebody' });
          expect(foreign).toEqual({ refusal: 'intent_foreign' });
        }
        if (step === 'repeat') {
          const again = await stub.buy({ ...purchase, paymentId });
          if ('refusal' in again) expect(again.refusal).toMatch(/intent_foreign|slot_busy/);
        }
        await runDurableObjectAlarm(stub);
      }
      // Whoever says nothing more is closed when the time is over.
      for (let i = 0; i < 4; i += 1) {
        vi.setSystemTime(Date.now() + 6 * minute);
        await runDurableObjectAlarm(stub);
      }
      const end = await stub.result(asked.pollingId);
      expect(['active', 'declined', 'failed']).toContain(end?.state);
      const taken = bank.taken();
      expect(taken.length).toBeLessThanOrEqual(1);
      if (end?.state === 'active') expect(kept(taken)).toMatchObject([{ amount: 3999 }]);
      if (end?.state === 'active') await balances(stub, taken);
      // What was taken in another sum is not sold, and is seen by whoever compares.
      const told = (await stub.compare()) as Reckoning;
      expect(told.lines.map(({ provider }) => provider)).toEqual(taken.map(({ amount }) => amount));
      vi.useRealTimers();
    }),
    { numRuns: scaled(1000), endOnFailure: true },
  ),
);
