import { expect, vi } from 'vitest';
import { type Minor, minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import { newInvitee } from '../../invitations/sms/sms-fixture.ts';
import { dayMs, minuteMs, remainingAmounts } from '../payments-fixture.ts';
import { renewAndShowEnd, runAlarmsUntil } from '../subscriptions/change-helpers.ts';
import {
  buyPlan,
  intro,
  type Operation,
  type Scene,
  startedAt,
  testFaults,
} from './fault-matrix.ts';

const subscriptionIn = ({ driven }: Scene) => driven.object().ownedSubscriptions()[0]?.subscription;

/** Refunds under one key, repeated like an operator does until the result is definite. */
const refund =
  (amount: Minor | null, pauseDays: number, remaining: number): Operation =>
  async (scene) => {
    const { driven, fakes, underFault } = scene;
    const { charge } = await buyPlan(scene);
    const payment = charge?.paymentId ?? paymentIdOf('');
    // A part can be refunded once the payment is settled.
    if (amount) vi.setSystemTime(Date.now() + 2 * dayMs);
    const tryOnce = () => driven.run((object) => object.refund(payment, amount, 'key'));
    await underFault(async () => {
      let pauseMs = pauseDays * dayMs;
      for (let answer = await tryOnce(); answer.kind === 'refused'; answer = await tryOnce()) {
        expect(answer).toEqual({ kind: 'refused', refusal: 'gateway_ambiguous' });
        vi.setSystemTime(Date.now() + pauseMs);
        pauseMs = minuteMs;
      }
    });
    // Repeated once more it is the same refund.
    expect((await tryOnce()).kind).toBe('refunded');
    const left = remainingAmounts(fakes.captured());
    // A renewal may be charged while the operator waits for a month.
    expect([left[0], ...new Set(left.slice(1))]).toEqual([remaining, ...(left[1] ? [3999] : [])]);
    const status = remaining === 0 ? 'ended' : 'active';
    expect(subscriptionIn(scene)).toMatchObject({ status, ends: remaining === 0 });
  };

testFaults({
  'a refund': refund(null, 0.001, 0),
  'a refund of a part': refund(minor(1000), 0.001, 2999),
  'a refund of a part, repeated a month later': refund(minor(1000), 31, 2999),
  async 'a cancellation'(scene) {
    const { id } = await buyPlan(scene);
    await scene.underFault(() => scene.driven.run((object) => object.cancelSubscription(id)));
    expect(subscriptionIn(scene)).toMatchObject({ status: 'active', ends: true });
    await runAlarmsUntil(scene.driven, startedAt + 40 * dayMs);
    expect(remainingAmounts(scene.fakes.captured())).toEqual([3999]);
  },
  async 'a cancellation that is taken back'(scene) {
    const { driven, fakes, underFault } = scene;
    const { id } = await buyPlan(scene);
    await driven.run((object) => object.cancelSubscription(id));
    await driven.runDueAlarms();
    await underFault(() => driven.run((object) => object.resumeSubscription(id)));
    expect(subscriptionIn(scene)).toMatchObject({ status: 'active', ends: false });
    await runAlarmsUntil(driven, startedAt + 40 * dayMs);
    expect(remainingAmounts(fakes.captured())).toEqual([3999, 3999]);
  },
  async 'a withdrawal'(scene) {
    const { id } = await buyPlan(scene, { plan: intro });
    await scene.underFault(() => scene.driven.run((object) => object.withdraw(id)));
    await scene.driven.runDueAlarms();
    expect(remainingAmounts(scene.fakes.captured())).toEqual([0]);
    expect(subscriptionIn(scene)).toMatchObject({ status: 'ended', ends: true });
  },
  async 'a claim of the guarantee, which ends what was asked'(scene) {
    const { driven, purchase, fakes, underFault } = scene;
    const { id } = await buyPlan(scene);
    const { stub, request } = await newInvitee({ account: purchase.account, via: 'link' });
    const invited = await stub.invite(request);
    if (invited.kind === 'refused') throw new Error(invited.refusal);
    await underFault(() => driven.run((object) => object.claim([id])));
    await driven.runDueAlarms();
    expect(remainingAmounts(fakes.captured())).toEqual([0]);
    const view = await stub.viewForRequester(invited.view.id, purchase.account);
    expect(view).toMatchObject({ state: 'not_shared' });
  },
  async 'an early end of a renewed period'(scene) {
    const { driven, fakes, underFault } = scene;
    const { id } = await buyPlan(scene, { plan: 'quarterly_usd' });
    const shown = await renewAndShowEnd(driven, fakes, startedAt + 100 * dayMs);
    const ends = { ...shown, noticeMonths: 1 };
    await underFault(() => driven.run((object) => object.endEarly(id, ends)));
    await runAlarmsUntil(driven, startedAt + 180 * dayMs);
    expect(remainingAmounts(fakes.captured())).toEqual([5999, 5999 - shown.back]);
    expect(subscriptionIn(scene)).toMatchObject({ status: 'ended', paidUntil: shown.at });
  },
  async 'a deleted account'(scene) {
    const { stripe, braintree } = scene.fakes;
    await buyPlan(scene);
    await scene.underFault(() =>
      scene.driven.run((object) => object.deleteAccount(async () => null)),
    );
    const customers = () =>
      [stripe, braintree].flatMap(({ state }) => Object.values(state.customers));
    await runAlarmsUntil(scene.driven, Date.now() + dayMs);
    expect(
      customers()
        .map(({ email }) => email ?? '')
        .join(''),
    ).toBe('');
    expect(subscriptionIn(scene)).toMatchObject({ ends: true });
  },
});
