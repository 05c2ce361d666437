import { expect, test, vi } from 'vitest';
import type { EmailMessage } from '../../../../worker/email/enqueue-email.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { approved } from '../../../fakes/test-nonces.ts';
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
