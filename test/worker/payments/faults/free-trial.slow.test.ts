import { expect } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { declining } from '../../../fakes/test-nonces.ts';
import { payers } from '../attempts/provider-side.ts';
import { dayMs, minuteMs, remainingAmounts } from '../payments-fixture.ts';
import { ownedIn, runAlarmsUntil } from '../subscriptions/change-helpers.ts';
import { trialPlan } from '../trial-plan.ts';
import { type Fakes, type Scene, startedAt, testFaults } from './fault-matrix.ts';

const declinedAtOnce = { ...declining, stripe: 'pm_card_visa_chargeDeclined' };
/** Once verified, the bank lets these be charged without the payer. */
const challengedOnce = {
  stripe: async () => 'pm_card_authenticationRequiredOnSetup',
  braintree: payers.braintree.nonce,
};

const plan = trialPlan();
const ofTrial = (purchase: Purchase): Purchase => ({ ...purchase, soldPlan: plan });

const amounts = ({ captured }: Fakes) => remainingAmounts(captured());

const trialsIn = ({ stripe, braintree }: Fakes) => [
  ...Object.values(stripe.state.subscriptions).filter(({ status }) => status === 'trialing'),
  ...Object.values(braintree.state.subscriptions).filter(({ status }) => status === 'Active'),
];

async function until({ driven, fakes }: Scene, days: number): Promise<void> {
  while (Date.now() < startedAt + days * dayMs) {
    await runAlarmsUntil(driven, Date.now() + dayMs / 2);
    fakes.stripe.passTime();
    await fakes.braintree.passTime();
  }
  await driven.run((object) => object.sync());
}

/** A trial that started is charged once at its end, and one that did not never. */
async function expectTold(scene: Scene, state: string): Promise<void> {
  expect(trialsIn(scene.fakes)).toHaveLength(state === 'active' ? 1 : 0);
  expect(amounts(scene.fakes)).toEqual([]);
  await until(scene, 20);
  expect(amounts(scene.fakes)).toEqual(state === 'active' ? [3999] : []);
  if (state === 'active') expect(ownedIn(scene.driven).amounts).toEqual([3999]);
}

testFaults({
  async 'a free trial, then its first charge'(scene) {
    const { state } = await scene.underFault(() => scene.driven.buy(ofTrial(scene.purchase)));
    await expectTold(scene, state);
  },
  async 'a free trial that is cancelled'(scene) {
    const { id, state } = await scene.driven.buy(ofTrial(scene.purchase));
    expect(state).toBe('active');
    await scene.underFault(() =>
      scene.driven.run((object) => object.cancelSubscription(id as never)),
    );
    await until(scene, 20);
    expect(amounts(scene.fakes)).toEqual([]);
  },
  async 'a free trial whose card is declined'(scene) {
    const nonce = declinedAtOnce[scene.purchase.gateway];
    const buy = () => scene.driven.buy({ ...ofTrial(scene.purchase), nonce });
    const { state } = await scene.underFault(buy);
    expect(['declined', 'failed']).toContain(state);
    await expectTold(scene, state);
  },
  async 'a free trial whose challenge is answered'(scene) {
    const { driven, fakes, underFault } = scene;
    const purchase = ofTrial(scene.purchase);
    const payer = payers[purchase.gateway];
    const nonce = await challengedOnce[purchase.gateway](fakes);
    const id = await driven.startPurchase({ ...purchase, nonce });
    await driven.passTime(minuteMs);
    expect(driven.attempt(id).state).toBe('challenged');
    const back = await payer.answer(fakes, driven.attempt(id), 'authenticated');
    await underFault(async () => {
      await driven.run((object) => object.buy({ ...purchase, nonce, ...back }));
      await driven.runDueAlarms();
    });
    await expectTold(scene, driven.attempt(id).state);
  },
  async 'a free trial whose challenge nobody answers'(scene) {
    const purchase = ofTrial(scene.purchase);
    const nonce = await payers[purchase.gateway].nonce(scene.fakes);
    const buy = () => scene.driven.buy({ ...purchase, nonce });
    const { pollingId } = await scene.underFault(buy);
    expect(scene.driven.attempt(pollingId).state).toBe('failed');
    await expectTold(scene, 'failed');
  },
});
