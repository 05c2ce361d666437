import { expect, test } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { payers } from '../attempts/provider-side.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import { dayMs, gateways, remainingAmounts } from '../payments-fixture.ts';
import {
  buyPlan,
  challengeSavedCard,
  getQuote,
  ownedIn,
  runAlarmsUntil,
} from './change-helpers.ts';
import {
  type ChangeFaults,
  crashAtAnyAwait,
  type Fakes,
  liveSubscriptions,
  loseReplies,
  runChange,
  start,
} from './faulty-change.ts';

/** `left`: the payer confirms, and never returns to the page. `swapped`: the result is for another card. */
type Payer = 'authenticated' | 'failed' | 'silent' | 'left' | 'swapped';

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
      const outcome = how === 'failed' ? 'failed' : 'authenticated';
      const gateway: GatewayName = intentId ? 'stripe' : 'braintree';
      const challenge = { paymentId: intentId, secret, amount: change.amount } as never;
      const { nonce } =
        how === 'swapped'
          ? { nonce: await nonceOfCard(fakes.braintree, '4005519200000004') }
          : await payers[gateway].answer(fakes, challenge, outcome);
      // After a challenge the bank lets the card pay.
      const { braintree } = fakes;
      if (how !== 'failed') {
        for (const token of Object.keys(braintree.state.methods)) braintree.decline(token, '1000');
      }
      if (how !== 'left') await confirm(nonce ?? undefined);
    }
    await runAlarmsUntil(driven, driven.alarm() ?? Date.now() + 60_000);
  }
  throw new Error('the change never ended');
}

/** Whatever happens, the gateways' records equal the ledger. */
const scenario = (gateway: GatewayName, how: Payer, faults: ChangeFaults = {}) =>
  runChange(gateway, {}, faults, async ({ driven, purchase, fakes, applyFaults }) => {
    const id = await buyPlan(driven, purchase);
    await runAlarmsUntil(driven, start + dayMs);
    challengeSavedCard(fakes);
    const made = await applyFaults(() => upgrade(driven, id, fakes, how));
    const captured = made.state === 'done' ? [3999, made.amount] : [3999];
    expect(remainingAmounts(fakes.captured())).toEqual(captured);
    expect(ownedIn(driven).amounts).toEqual(captured);
    const plan = made.state === 'done' ? 'quarterly_usd' : 'monthly_usd';
    expect(ownedIn(driven)).toMatchObject({ plan, status: 'active', ends: false });
    expect(liveSubscriptions(fakes)).toHaveLength(1);
    const invoices = Object.values(fakes.stripe.state.invoices);
    expect(invoices.filter((one) => one.status === 'open')).toEqual([]);
    return made;
  });

test.each([
  ['stripe', 'authenticated', 'done'],
  ['stripe', 'failed', 'declined'],
  ['stripe', 'silent', 'declined'],
  ['stripe', 'left', 'done'],
  ['braintree', 'authenticated', 'done'],
  ['braintree', 'failed', 'declined'],
  ['braintree', 'silent', 'declined'],
  ['braintree', 'left', 'declined'],
  ['braintree', 'swapped', 'declined'],
] as const)(
  'plan change: %s: an upgrade that the bank challenges, %s: %s',
  async (gateway, how, state) => {
    const made = await scenario(gateway, how);
    expect([made.state, made.hasAnswered]).toEqual([state, how !== 'silent']);
    expect(made.challenge).toBeNull();
  },
);

test.each(gateways)(
  'plan change: %s: an upgrade that the bank challenges, with a crash at any await',
  { timeout: 600_000 },
  (gateway) => crashAtAnyAwait((faults) => scenario(gateway, 'authenticated', faults)),
);

test.each(gateways)(
  'plan change: %s: an upgrade that the bank challenges, with four of ten replies lost',
  { timeout: 600_000 },
  (gateway) => loseReplies(100, 7, (faults) => scenario(gateway, 'authenticated', faults)),
);
