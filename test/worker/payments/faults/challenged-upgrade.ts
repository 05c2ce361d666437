import { expect } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { payers } from '../attempts/provider-side.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { dayMs, remainingAmounts } from '../payments-fixture.ts';
import {
  challengeSavedCard,
  getQuote,
  ownedIn,
  runAlarmsUntil,
} from '../subscriptions/change-helpers.ts';
import { buyPlan, type Fakes, type Scene, startedAt } from './fault-matrix.ts';

/** `left`: the payer confirms, and never returns to the page. `swapped`: the result is for another card. */
export type Payer = 'authenticated' | 'failed' | 'silent' | 'left' | 'swapped';

/** Subscriptions that are not cancelled. */
export const liveSubscriptions = ({ stripe, braintree }: Fakes) =>
  [stripe.state.subscriptions, braintree.state.subscriptions]
    .flatMap((table) => Object.values(table) as { status: string }[])
    .filter(({ status }) => !/cancell?ed/i.test(status));

async function upgrade(driven: DrivenObject, attempt: AttemptId, fakes: Fakes, how: Payer) {
  const { id } = await getQuote(driven, attempt, { kind: 'upgrade', plan: 'quarterly_usd' });
  const confirm = (nonce?: string) =>
    driven.run((object) => object.confirmChange(attempt, id, nonce ?? null));
  await confirm();
  let hasAnswered = false;
  for (let steps = 0; steps < 1000; steps += 1) {
    const change = driven.object().planChange(id);
    if (!change) throw new Error(id);
    if (['done', 'declined', 'failed'].includes(change.state)) return { ...change, hasAnswered };
    if (change.state === 'challenged' && how !== 'silent' && !hasAnswered) {
      hasAnswered = true;
      const { intentId, secret } = change.challenge ?? {};
      const gateway: GatewayName = intentId ? 'stripe' : 'braintree';
      const challenge = { paymentId: intentId, secret, amount: change.amount } as never;
      const outcome = how === 'failed' ? 'failed' : 'authenticated';
      const { nonce } =
        how === 'swapped'
          ? { nonce: await nonceOfCard(fakes.braintree, '4005519200000004') }
          : await payers[gateway].answer(fakes, challenge, outcome);
      // After a challenge the bank lets the card pay.
      const { braintree } = fakes;
      if (how !== 'failed')
        for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '1000');
      if (how !== 'left') await confirm(nonce ?? undefined);
    }
    await runAlarmsUntil(driven, driven.alarm() ?? Date.now() + 60_000);
  }
  throw new Error('the change never ended');
}

/** An upgrade that the bank challenges. Whatever the payer does, the gateways' records equal the ledger. */
export async function challengedUpgrade(scene: Scene, how: Payer) {
  const { driven, fakes, underFault } = scene;
  const { id } = await buyPlan(scene);
  await runAlarmsUntil(driven, startedAt + dayMs);
  challengeSavedCard(fakes);
  const made = await underFault(() => upgrade(driven, id, fakes, how));
  const amounts = made.state === 'done' ? [3999, made.amount] : [3999];
  expect(remainingAmounts(fakes.captured())).toEqual(amounts);
  const plan = made.state === 'done' ? 'quarterly_usd' : 'monthly_usd';
  expect(ownedIn(driven)).toMatchObject({ plan, status: 'active', ends: false, amounts });
  expect(liveSubscriptions(fakes)).toHaveLength(1);
  const invoices = Object.values(fakes.stripe.state.invoices);
  expect(invoices.filter(({ status }) => status === 'open')).toEqual([]);
  return made;
}
