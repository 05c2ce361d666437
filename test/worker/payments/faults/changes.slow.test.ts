import { expect } from 'vitest';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import type { DrivenObject } from '../attempts/driven-object.ts';
import { dayMs, remainingAmounts } from '../payments-fixture.ts';
import {
  answerBank,
  becomePastDue,
  cardRequest,
  cardUpdateOf,
  challengedCards,
  newCards,
  sendCard,
} from '../subscriptions/card-fixture.ts';
import {
  type changeRequest,
  makeChange,
  ownedIn,
  runAlarmsUntil,
} from '../subscriptions/change-helpers.ts';
import { announce, raiseOf, raiseTo } from '../subscriptions/raise-helpers.ts';
import { challengedUpgrade, liveSubscriptions } from './challenged-upgrade.ts';
import { buyPlan, type Operation, startedAt, testFaults } from './fault-matrix.ts';

type ChangeFields = Parameters<typeof changeRequest>[0];

/** Requests it until it is done: at Braintree a sale that never arrived is not sent again. */
async function changed(driven: DrivenObject, id: AttemptId, wanted: ChangeFields) {
  for (let tries = 0; tries < 20; tries += 1) {
    const made = await makeChange(driven, id, wanted);
    if (made.state === 'done') return made;
    expect([made.state, made.kind]).toEqual(['failed', wanted.kind]);
  }
  throw new Error(`${wanted.kind} never succeeded`);
}

/** A change so many days after the purchase, or after an earlier change, and the payments of the next ninety days. */
const change =
  (
    plan: string,
    wanted: ChangeFields,
    renewals: number[],
    { after = 1, before }: { after?: number; before?: ChangeFields } = {},
  ): Operation =>
  async (scene) => {
    const { driven, fakes, underFault } = scene;
    const captured = () => remainingAmounts(fakes.captured()).sort();
    const { id } = await buyPlan(scene, { plan });
    if (before) await changed(driven, id, before);
    await runAlarmsUntil(driven, startedAt + after * dayMs);
    const first = captured();
    const made = await underFault(() => changed(driven, id, wanted));
    const now = made.amount > 0 ? [made.amount] : [];
    expect(captured()).toEqual([...first, ...now].sort());
    await runAlarmsUntil(driven, Math.max(Date.now() + 75 * dayMs, startedAt + 100 * dayMs));
    const all = [...first, ...now, ...renewals].sort();
    expect(captured().slice(0, all.length)).toEqual(all);
    expect([...ownedIn(driven).amounts].sort()).toEqual(captured());
    expect(liveSubscriptions(fakes)).toHaveLength(1);
  };

/** A new card for a failed renewal. */
const card =
  (isChallenged: boolean): Operation =>
  async ({ driven, purchase, fakes, underFault }) => {
    const { gateway } = purchase;
    await becomePastDue(driven, purchase, fakes);
    const nonce = isChallenged ? await challengedCards[gateway](fakes) : newCards[gateway].nonce;
    const request = cardRequest(purchase, nonce);
    await underFault(async () => {
      await sendCard(driven, request);
      await answerBank(driven, request, fakes);
    });
    const { state, payment } = cardUpdateOf(driven, request.key);
    await driven.run((object) => object.sync());
    await driven.runDueAlarms();
    const captured = remainingAmounts(fakes.captured());
    expect([state, payment, captured]).toEqual(['done', 'paid', [3999, 3999]]);
  };

/** The gateway is told of a higher price three days before the renewal that costs it. */
const raise: Operation = async (scene) => {
  const { driven, fakes, underFault } = scene;
  await buyPlan(scene, { plan: 'monthly_usd' });
  await announce(driven, raiseTo(startedAt + 40 * dayMs));
  const toldAt = (raiseOf(driven).at ?? 0) - 3 * dayMs;
  await runAlarmsUntil(driven, toldAt - 60_000);
  await underFault(() => runAlarmsUntil(driven, toldAt + dayMs));
  await runAlarmsUntil(driven, startedAt + 95 * dayMs);
  expect(ownedIn(driven).amounts).toEqual([3999, 3999, 4999, 4999]);
  expect(remainingAmounts(fakes.captured()).sort()).toEqual([3999, 3999, 4999, 4999]);
  expect(liveSubscriptions(fakes)).toHaveLength(1);
};

const toMonth: ChangeFields = { kind: 'switch', plan: 'monthly_usd' };

testFaults({
  'a raised price': raise,
  'an upgrade': change('monthly_usd', { kind: 'upgrade', plan: 'quarterly_usd' }, []),
  'a downgrade': change('quarterly_usd', toMonth, [3999]),
  'a downgrade, taken back': change('quarterly_usd', { kind: 'continue' }, [5999], {
    before: toMonth,
  }),
  'a pause': change('monthly_usd', { kind: 'pause', months: 2 }, [3999]),
  'a pause, ended while it runs': change('monthly_usd', { kind: 'resume' }, [3999], {
    before: { kind: 'pause', months: 3 },
    after: 40,
  }),
  'an upgrade that the bank challenges': async (scene) =>
    void (await challengedUpgrade(scene, 'authenticated')),
  'a new card for a failed renewal': card(false),
  'a new card for a failed renewal, which the bank challenges': card(true),
});
