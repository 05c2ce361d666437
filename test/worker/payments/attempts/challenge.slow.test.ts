import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import type { PlanId } from '../../../../worker/catalog/rules/plans.ts';
import {
  canBeReplaced,
  type Purchase,
} from '../../../../worker/payments/attempts/purchase-request.ts';
import { isFinal } from '../../../../worker/payments/purchase/attempt.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import {
  buyer,
  excludeFromAudit,
  forgetIntros,
  gateways,
  minuteMs,
  scaled,
  stubGateways,
  unrefunded,
} from '../payments-fixture.ts';
import { type DrivenObject, driveObject } from './driven-object.ts';
import { challengedCard, payers } from './provider-side.ts';

const steps = [
  'confirm',
  'fail',
  'repeat',
  'late',
  'foreign intent',
  'foreign card',
  'wrong amount',
  'other currency',
  'another plan',
  'unanswered return',
  'look',
] as const;
type Step = (typeof steps)[number];

/** A challenged payer, and everything that they, or somebody else, may do. */
async function takeSteps(
  driven: DrivenObject,
  course: readonly Step[],
  first: Purchase,
  fakes: Fakes,
) {
  const payer = payers[first.gateway];
  const ring = async () => {
    const due = () => (driven.alarm() ?? Number.POSITIVE_INFINITY) <= Date.now();
    for (let rings = 0; rings < 20 && due(); rings += 1)
      await driven.run((object) => object.alarm());
  };
  const post = (purchase: Purchase) => driven.run((object) => object.buy(purchase));
  const pollingId = await driven.startPurchase(first);
  await ring();
  const now = () => driven.attempt(pollingId);
  expect(now().state).toBe('challenged');
  let back: Partial<Purchase> = {};
  for (const step of course) {
    const { paymentId } = now();
    const intent = fakes.stripe.state.payment_intents[paymentId ?? ''];
    if (step === 'confirm') back = await payer.answer(fakes, now(), 'authenticated');
    if (step === 'fail') back = await payer.answer(fakes, now(), 'failed');
    if (step === 'wrong amount') {
      if (intent) intent.amount = 1;
      else back = await payer.answer(fakes, now(), 'authenticated', 1);
    }
    if (step === 'other currency' && intent) intent.currency = 'eur';
    if (step === 'late') vi.setSystemTime(Date.now() + 11 * minuteMs);
    if (step === 'repeat') await post({ ...first, paymentId, ...back });
    if (step === 'unanswered return') {
      // The payer is back, and the payment is neither successful, failed nor challenged.
      await post({ ...first, paymentId, ...back });
      if (intent?.status === 'requires_action') intent.status = 'requires_confirmation';
    }
    if (step === 'foreign intent') {
      const foreign = await post({ ...first, paymentId: paymentIdOf('pi_of_somebody') });
      if (foreign.kind === 'refused' || !isFinal(now().state))
        expect(foreign).toEqual({ kind: 'refused', refusal: 'payment_intent_mismatch' });
    }
    if (step === 'foreign card') {
      const nonce = await nonceOfCard(fakes.braintree, challengedCard);
      await post({ ...first, paymentId, nonce });
    }
    if (step === 'another plan' && !isFinal(now().state) && !canBeReplaced(now())) {
      const other = await post({ ...first, plan: 'quarterly_usd' });
      expect(other).toEqual({ kind: 'refused', refusal: 'purchase_in_progress' });
    }
    await ring();
  }
  // An unanswered challenge is closed when its time is over.
  await driven.runDueAlarms();
  await driven.runDueAlarms();
  return now();
}

type Fakes = ReturnType<typeof stubGateways>;

const cases = gateways.flatMap((gateway) =>
  (['monthly_usd', 'monthly_7d_usd'] satisfies PlanId[]).map((plan) => [gateway, plan] as const),
);

/**
 * Whatever happens, in any order, at most one charge of the plan's own price is made, and the intent of another
 * attempt is refused.
 */
test.each(cases)(
  'challenge: %s, %s: any order of events charges at most once',
  { timeout: 1_200_000 },
  async (gateway, plan) => {
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 8 }), async (course) => {
        vi.useFakeTimers({ toFake: ['Date'] });
        const fakes = stubGateways();
        await forgetIntros();
        const { stub, purchase } = buyer({ gateway, plan });
        const nonce = await payers[gateway].nonce(fakes);
        await driveObject(stub, async (driven) => {
          const end = await takeSteps(driven, course, { ...purchase, nonce }, fakes);
          expect(['active', 'declined', 'failed']).toContain(end.state);
          ends.add(end.state);
          const captured = fakes.captured();
          expect(captured.length).toBeLessThanOrEqual(1);
          const amount = builtInCatalog.planById(plan)?.today;
          if (end.state === 'active') expect(unrefunded(captured)).toMatchObject([{ amount }]);
          // A charge of another amount is not sold, and is visible in the comparison.
          expect((await driven.object().compare())?.lines.map(({ provider }) => provider)).toEqual(
            captured.map(({ amount: sum }) => sum),
          );
          if (end.state !== 'active' && captured.length > 0) excludeFromAudit(stub);
        });
        vi.useRealTimers();
      }),
      { numRuns: scaled(1000 / cases.length), endOnFailure: true },
    );
    expect(ends).toContain('failed');
  },
);

test.each(['monthly_usd', 'monthly_7d_usd'] satisfies PlanId[])(
  'challenge: Braintree, %s: a card other than the challenged one is not charged',
  async (plan) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fakes = stubGateways();
    await forgetIntros();
    const { stub, purchase } = buyer({ gateway: 'braintree', plan });
    const first = { ...purchase, nonce: await payers.braintree.nonce(fakes) };
    await driveObject(stub, async (driven) => {
      const pollingId = await driven.startPurchase(first);
      await driven.passTime(1000);
      expect(driven.attempt(pollingId).state).toBe('challenged');
      const nonce = await nonceOfCard(fakes.braintree, '4005519200000004');
      await driven.run((object) => object.buy({ ...first, nonce }));
      await driven.runDueAlarms();
      expect(driven.attempt(pollingId).state).toBe('declined');
      expect(fakes.captured()).toEqual([]);
    });
    vi.useRealTimers();
  },
);
