import { expect, test, vi } from 'vitest';
import type { EmailMessage } from '../../../../worker/email/enqueue-email.ts';
import { receivedPurchase } from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { subscriptionView } from '../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { sampled } from '../../sampled.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  captureLogEvents,
  dayMs,
  gateways,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import { buyPlan, ownedIn, passTimeUntil, renewAndShowEnd } from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);

test.each(gateways)(
  'early end: %s: a renewed period ends when the page said, with the refund that it said, and its extra with it',
  async (gateway) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const fakes = stubGateways();
    const base = { gateway, nonce: approved[gateway], terms: shownTerms() };
    const { stub, purchase } = buyer({ ...base, plan: 'quarterly_usd' });
    const sent: EmailMessage[] = [];
    const more = { EMAIL_QUEUE: { send: async (email: EmailMessage) => sent.push(email) } };
    await driveObject(
      stub,
      async (driven) => {
        const id = await buyPlan(driven, purchase);
        await buyPlan(driven, { ...purchase, plan: 'upsell_monthly_799_usd', nonce: null });
        const shown = await renewAndShowEnd(driven, fakes, start + 100 * dayMs);
        const ends = { ...shown, noticeMonths: 1 };
        const end = (change: object) =>
          driven.run((object) => object.endEarly(id, { ...ends, ...change }));
        const refused = { kind: 'refused', refusal: 'quote_expired' };
        expect(await end({ back: shown.back + 1 })).toEqual(refused);
        expect(await end({ at: shown.at + dayMs })).toEqual(refused);
        expect([await end({}), await end({})]).toEqual([null, null]);
        await driven.runDueAlarms();
        const paid = () => remainingAmounts(fakes.captured()).sort((a, b) => a - b);
        const left = paid();
        expect(left).toContain(5999 - shown.back);
        expect(ownedIn(driven).amounts).toEqual([5999, 5999, -shown.back]);
        expect(await driven.run((object) => object.resumeSubscription(id))).toEqual({
          kind: 'refused',
          refusal: 'resume_expired',
        });
        expect(driven.object().activePlan('main')).not.toBeNull();
        await passTimeUntil(driven, fakes, shown.at - dayMs / 24);
        const { entitlements } = await driven.run(async (object) => ({
          entitlements: await object.entitlements(),
        }));
        expect(entitlements.active[0]).toMatchObject({ reason: 'kept_until_end', until: shown.at });
        await passTimeUntil(driven, fakes, shown.at + dayMs);
        expect(driven.object().activePlan('main')).toBeNull();
        expect([ownedIn(driven).status, ownedIn(driven, 'upsell').status]).toEqual([
          'ended',
          'ended',
        ]);
        await passTimeUntil(driven, fakes, start + 200 * dayMs);
        expect(paid()).toEqual(left);
        const told = sent.filter(({ template }) => template === 'cancellation');
        expect(told).toMatchObject([{ data: { ends: shown.at, back: shown.back } }]);
        const refunds = sent.filter(({ template }) => template === 'refund');
        expect(refunds).toMatchObject([{ data: { back: shown.back } }]);
      },
      undefined,
      more as unknown as Partial<Env>,
    );
  },
);

test.each(gateways)(
  'early end: %s: on the day after a renewal the refund waits until the payment is settled, without an alarm',
  async (gateway) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const fakes = stubGateways();
    const base = { gateway, nonce: approved[gateway], terms: shownTerms() };
    const { stub, purchase } = buyer({ ...base, plan: 'quarterly_usd' });
    await driveObject(stub, async (driven) => {
      const id = await buyPlan(driven, purchase);
      const shown = await renewAndShowEnd(driven, fakes, start + 90.6 * dayMs);
      const logged = captureLogEvents();
      await driven.run((object) => object.endEarly(id, { ...shown, noticeMonths: 1 }));
      await passTimeUntil(driven, fakes, start + 95 * dayMs);
      expect(ownedIn(driven).amounts).toEqual([5999, 5999, -shown.back]);
      expect(logged()).not.toContain('withdrawal_refused');
    });
  },
);

const acts = ['cancel main', 'cancel upsell', 'end main', 'end upsell'];
const ordersOf = (left: string[]): string[][] =>
  left.length === 0
    ? [[]]
    : left.flatMap((act) =>
        ordersOf(left.filter((one) => one !== act)).map((rest) => [act, ...rest]),
      );
const orders = ordersOf(acts).flatMap((order) => gateways.map((gateway) => ({ gateway, order })));

test.each(sampled(orders, 11))(
  'early end: $gateway: $order: neither a cancellation nor the plan’s end takes an own end away, and each is refunded once',
  async ({ gateway, order }) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const fakes = stubGateways();
    const base = { gateway, nonce: approved[gateway], terms: shownTerms() };
    const { stub, purchase } = buyer({ ...base, plan: 'quarterly_usd' });
    await driveObject(stub, async (driven) => {
      await buyPlan(driven, purchase);
      await buyPlan(driven, { ...purchase, plan: 'upsell_quarterly_799_usd', nonce: null });
      await passTimeUntil(driven, fakes, start + 100 * dayMs);
      const viewOf = (slot: string) => {
        const all = driven.object().ownedSubscriptions().map(receivedPurchase);
        const owned = all.find(({ subscription }) => subscription.slot === slot);
        const shown = owned && subscriptionView({ ...owned, noticeMonths: 1 }, Date.now());
        if (!shown?.earlyEnd) throw new Error(`no end of ${slot}`);
        const { attempt, earlyEnd, paidUntil } = shown;
        return { attempt, earlyEnd, isEnded: earlyEnd.at === paidUntil };
      };
      const done: string[] = [];
      for (const act of order) {
        const [kind, slot = ''] = act.split(' ');
        const { attempt, earlyEnd } = viewOf(slot);
        const shown = { ...earlyEnd, noticeMonths: 1 };
        await driven.run(async (object) => {
          if (kind === 'cancel') await object.cancelSubscription(attempt);
          else expect(await object.endEarly(attempt, shown)).toBeNull();
        });
        await driven.runDueAlarms();
        done.push(act);
        const isEnded = done.includes('end main');
        expect([viewOf('main').isEnded, viewOf('upsell').isEnded]).toEqual([
          isEnded,
          isEnded || done.includes('end upsell'),
        ]);
      }
      const backs = ['main', 'upsell'].map((slot) => viewOf(slot).earlyEnd.back);
      await passTimeUntil(driven, fakes, start + 140 * dayMs);
      for (const [at, slot] of ['main', 'upsell'].entries()) {
        const { amounts, status } = ownedIn(driven, slot);
        expect([status, amounts]).toEqual(['ended', [amounts[0], amounts[0], -(backs[at] ?? 0)]]);
      }
    });
  },
);
