import { expect } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { Attempt, AttemptState } from '../../../../worker/payments/purchase/state.ts';
import { declining } from '../../../fakes/test-nonces.ts';
import { payers } from '../attempts/provider-side.ts';
import { bankPurchase, buyWithLostCalls, ibans, walletPurchase } from '../bank-fixture.ts';
import { dayMs, minuteMs, remainingAmounts, unrefunded } from '../payments-fixture.ts';
import { runAlarmsUntil } from '../subscriptions/change-helpers.ts';
import {
  buyAgain,
  buyPlan,
  type Fakes,
  intro,
  noRenewals,
  type Operation,
  startedAt,
  testFaults,
} from './fault-matrix.ts';

/** Nothing of a failed attempt may renew, or be paid later. */
function expectNothingRenews({ stripe, braintree }: Fakes) {
  const { subscriptions, payment_intents: intents, invoices } = stripe.state;
  const states = [subscriptions, intents, invoices].flatMap((table) =>
    Object.values(table).map(({ status }) => status),
  );
  for (const status of states) expect(['canceled', 'incomplete_expired', 'void']).toContain(status);
  expect(Object.values(braintree.state.subscriptions)).toEqual([]);
}

const amounts = ({ fakes }: { fakes: Fakes }) => remainingAmounts(fakes.captured());

testFaults({
  async 'a purchase'(scene) {
    await scene.underFault(() => buyPlan(scene));
    expect(amounts(scene)).toEqual([3999]);
  },
  async 'an intro, then renewals'(scene) {
    await scene.underFault(async () => {
      await buyPlan(scene, { plan: intro });
      await runAlarmsUntil(scene.driven, startedAt + 40 * dayMs);
    });
    expect(amounts(scene)).toEqual([699, 3999, 3999]);
  },
  async 'a decline'(scene) {
    const nonce = declining[scene.purchase.gateway];
    const declined = () => buyAgain(scene, { ...scene.purchase, plan: intro, nonce });
    expect((await scene.underFault(declined)).state).toBe('declined');
    expectNothingRenews(scene.fakes);
    expect(amounts(scene)).toEqual([]);
  },
  async 'a challenge that nobody answers'(scene) {
    const { driven, purchase, fakes, underFault } = scene;
    const nonce = await payers[purchase.gateway].nonce(fakes);
    const buy = () => driven.buy({ ...purchase, plan: intro, nonce });
    const { pollingId } = await underFault(buy);
    expect(driven.attempt(pollingId).state).toBe('failed');
    expectNothingRenews(fakes);
  },
  async 'a challenge that is answered'({ driven, purchase, fakes, underFault }) {
    const nonce = await payers[purchase.gateway].nonce(fakes);
    const id = await driven.startPurchase({ ...purchase, nonce });
    await driven.passTime(minuteMs);
    const back = await payers[purchase.gateway].answer(fakes, driven.attempt(id), 'authenticated');
    await underFault(async () => {
      await driven.run((object) => object.buy({ ...purchase, nonce, ...back }));
      await driven.runDueAlarms();
    });
    const { state } = driven.attempt(id);
    // A sale that never arrived is not sent again.
    expect(purchase.gateway === 'stripe' ? ['active'] : ['active', 'failed']).toContain(state);
    expect(amounts({ fakes })).toEqual(state === 'active' ? [3999] : []);
  },
  async 'an upsell on the saved card'(scene) {
    await buyPlan(scene);
    await scene.underFault(() => buyPlan(scene, { plan: 'upsell_monthly_799_usd', nonce: null }));
    expect(amounts(scene)).toEqual([3999, 799]);
  },
});

/** At Stripe a plan is one object, so it has no second half. */
testFaults(
  {
    async 'a second half that is refused'(scene) {
      const buy = () => buyAgain(scene, { ...scene.purchase, plan: noRenewals });
      expect((await scene.underFault(buy)).state).toBe('failed');
      expect(amounts(scene)).toEqual([0]);
      expectNothingRenews(scene.fakes);
    },
  },
  ['braintree'],
);

const debit =
  (iban: string, end: AttemptState): Operation =>
  async ({ driven, purchase, fakes, underFault }) => {
    const request = { ...purchase, ...(await bankPurchase(fakes.stripe, 'sepa_debit', iban)) };
    const { pollingId } = await underFault(async () => {
      const bought = await driven.buy(request);
      expect(['processing', end]).toContain(bought.state);
      await driven.passTime(dayMs);
      return bought;
    });
    expect(driven.attempt(pollingId).state).toBe(end);
    if (end === 'active') return expect(amounts({ fakes })).toEqual([3999]);
    const ended = [{ subscription: { status: 'ended' } }];
    expect(driven.object().ownedSubscriptions()).toMatchObject(ended);
    expectNothingRenews(fakes);
  };

/** The payer pays on the page of a bank or a wallet. */
const redirected =
  (
    paid: (stripe: Fakes['stripe']) => Promise<Partial<Purchase>>,
    outcome: 'authenticated' | 'failed',
    end: AttemptState,
  ): Operation =>
  async ({ driven, purchase, fakes, underFault }) => {
    const request = { ...purchase, ...(await paid(fakes.stripe)) };
    const answer = ({ paymentId }: Pick<Attempt, 'paymentId'>) =>
      fakes.stripe.challenge(paymentId ?? '', outcome);
    expect(await underFault(() => buyWithLostCalls(driven, request, answer))).toBe(end);
    expect(unrefunded(fakes.captured())).toHaveLength(end === 'active' ? 1 : 0);
  };

testFaults(
  {
    'iDEAL, paid at the bank': redirected(
      (stripe) => bankPurchase(stripe, 'ideal'),
      'authenticated',
      'active',
    ),
    'PayPal, refused on its page': redirected(
      (stripe) => walletPurchase(stripe, 'paypal'),
      'failed',
      'declined',
    ),
    'a debit that is paid days later': debit(ibans.paysLater, 'active'),
    'a debit that fails days later': debit(ibans.failsLater, 'declined'),
    async 'PayPal, approved on its page, then a renewal'({ driven, purchase, fakes, underFault }) {
      const request = { ...purchase, ...(await walletPurchase(fakes.stripe, 'paypal')) };
      await underFault(async () => {
        const pollingId = await driven.startPurchase(request);
        await driven.passTime(2 * minuteMs);
        const { paymentId } = driven.attempt(pollingId);
        fakes.stripe.challenge(paymentId ?? '', 'authenticated');
        await driven.startPurchase({ ...request, nonce: null, paymentId });
        await driven.passTime(2 * minuteMs);
        expect(driven.attempt(pollingId).state).toBe('active');
        await runAlarmsUntil(driven, startedAt + 40 * dayMs);
      });
      expect(amounts({ fakes })).toEqual([3999, 3999]);
    },
    async Link(scene) {
      const request = await walletPurchase(scene.fakes.stripe, 'link');
      await scene.underFault(() => buyPlan(scene, request));
      expect(amounts(scene)).toEqual([3999]);
    },
  },
  ['stripe'],
);
