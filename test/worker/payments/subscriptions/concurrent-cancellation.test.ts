import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptId } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { takeUnannounced } from '../announced-audit.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import { type DrivenObject, driveObject } from '../attempts/driven-object.ts';
import {
  buyer,
  dayMs,
  gateways,
  hourMs,
  minuteMs,
  remainingAmounts,
  stubGateways,
} from '../payments-fixture.ts';
import {
  buyPlan,
  challengeSavedCard,
  getQuote,
  ownedIn,
  runAlarmsUntil,
} from './change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);
const wanted = [
  { kind: 'switch', plan: 'monthly_usd' },
  { kind: 'pause', months: 1 },
] as const;

type ConcurrentAction = (
  driven: DrivenObject,
  id: AttemptId,
  fakes: ReturnType<typeof stubGateways>,
) => Promise<void>;

async function scenario(gateway: GatewayName, plan: string, act: ConcurrentAction) {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const fakes = stubGateways();
  const { stub, purchase } = buyer({
    gateway,
    nonce: approved[gateway],
    plan,
    terms: shownTerms(),
  });
  await driveObject(stub, async (driven) => {
    const id = await buyPlan(driven, purchase);
    await runAlarmsUntil(driven, start + dayMs);
    await act(driven, id, fakes);
  });
}

async function confirmed(
  driven: DrivenObject,
  id: AttemptId,
  change: Parameters<typeof getQuote>[2],
) {
  const quote = await getQuote(driven, id, change);
  await driven.run((object) => object.confirmChange(id, quote.id));
  vi.setSystemTime(Date.now() + 1000);
  return quote;
}

/** Nothing is charged any longer, and access ends. */
async function expectEnd(driven: DrivenObject, { captured }: ReturnType<typeof stubGateways>) {
  const paid = remainingAmounts(captured());
  await runAlarmsUntil(driven, Date.UTC(2028, 0, 15));
  expect(remainingAmounts(captured())).toEqual(paid);
  expect(ownedIn(driven)).toMatchObject({ status: 'ended', isUsable: false, nextPlan: null });
}

test.each(
  gateways.flatMap((gateway) => [
    ...wanted.map((change) => [gateway, 'quarterly_usd', change] as const),
    [gateway, 'monthly_usd', { kind: 'upgrade', plan: 'quarterly_usd' }] as const,
  ]),
)(
  'plan change: %s, %s: a cancellation while %o is under way ends the subscription',
  async (gateway, plan, change) => {
    await scenario(gateway, plan, async (driven, id, fakes) => {
      await confirmed(driven, id, change);
      const { fetch } = globalThis;
      let calls = 0;
      vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
        calls += 1;
        const response = await fetch(...call);
        if (calls === 2) await driven.object().cancelSubscription(id);
        return response;
      });
      await driven.runDueAlarms();
      expect(ownedIn(driven).cancelRequestedAt).not.toBeNull();
      await runAlarmsUntil(driven, Date.now() + 2 * dayMs);
      expect(ownedIn(driven).ends).toBe(true);
      await expectEnd(driven, fakes);
    });
  },
);

test.each(gateways)(
  'plan change: %s: a cancellation before a confirmed switch begins ends the subscription',
  async (gateway) => {
    await scenario(gateway, 'quarterly_usd', async (driven, id, fakes) => {
      const { id: change } = await confirmed(driven, id, wanted[0]);
      await driven.run((object) => object.cancelSubscription(id));
      await driven.runDueAlarms();
      expect(driven.object().planChange(change)?.state).toBe('failed');
      expect(ownedIn(driven).ends).toBe(true);
      await expectEnd(driven, fakes);
    });
  },
);

test.each([
  ['stripe', { kind: 'switch', plan: 'monthly_usd' }],
  ['braintree', { kind: 'switch', plan: 'monthly_usd' }],
  ['braintree', { kind: 'continue' }],
] as const)(
  'plan change: %s: a second cancellation while %o undoes the first one ends the subscription',
  async (gateway, change) => {
    await scenario(gateway, 'quarterly_usd', async (driven, id, fakes) => {
      const cancel = () => driven.run((object) => object.cancelSubscription(id));
      await cancel();
      await driven.runDueAlarms();
      await confirmed(driven, id, change);
      await cancel();
      const { cancelRequestedAt } = ownedIn(driven);
      vi.setSystemTime(Date.now() + 1000);
      await cancel();
      expect(ownedIn(driven).cancelRequestedAt).toBe(cancelRequestedAt);
      await driven.runDueAlarms();
      expect(ownedIn(driven).ends).toBe(true);
      await expectEnd(driven, fakes);
    });
  },
);

test.each(gateways)(
  'plan change: %s: a cancellation while the bank challenges an upgrade keeps the paid period',
  async (gateway) => {
    await scenario(gateway, 'monthly_usd', async (driven, id, fakes) => {
      challengeSavedCard(fakes);
      const { id: change } = await confirmed(driven, id, {
        kind: 'upgrade',
        plan: 'quarterly_usd',
      });
      await driven.run((object) => object.alarm());
      expect(driven.object().planChange(change)?.state).toBe('challenged');
      await driven.run((object) => object.cancelSubscription(id));
      await driven.runDueAlarms();
      expect(driven.object().planChange(change)?.state).toMatch(/declined|failed/);
      expect(ownedIn(driven)).toMatchObject({ status: 'active', ends: true, isUsable: true });
      expect(remainingAmounts(fakes.captured())).toEqual([3999]);
      await expectEnd(driven, fakes);
    });
  },
);

test.each(gateways)(
  'cancellation: %s: a renewal that was charged while the gateway could not be told is refunded',
  async (gateway) => {
    await scenario(gateway, 'monthly_usd', async (driven, id, fakes) => {
      const renewal = ownedIn(driven).paidUntil ?? 0;
      await runAlarmsUntil(driven, renewal - 10 * minuteMs);
      const { fetch } = globalThis;
      const headers = { 'stripe-should-retry': 'false' };
      vi.stubGlobal('fetch', async () => new Response('{}', { status: 503, headers }));
      await driven.run((object) => object.cancelSubscription(id));
      await runAlarmsUntil(driven, renewal + 3 * hourMs);
      vi.stubGlobal('fetch', fetch);
      await fakes.stripe.passTime();
      await fakes.braintree.passTime();
      expect(fakes.captured()).toHaveLength(2);
      await driven.runDueAlarms();
      expect(remainingAmounts(fakes.captured())).toEqual([3999, 0]);
      expect(takeUnannounced()).toEqual(['2027-02-15 3999']);
      await expectEnd(driven, fakes);
    });
  },
);

test('plan change: a quote from before a cancellation cannot be confirmed', async () => {
  await scenario('stripe', 'quarterly_usd', async (driven, id, fakes) => {
    const { id: change } = await getQuote(driven, id, wanted[0]);
    await driven.run((object) => object.cancelSubscription(id));
    const answer = await driven.run((object) => object.confirmChange(id, change));
    expect(answer).toEqual({ kind: 'refused', refusal: 'quote_expired' });
    await driven.runDueAlarms();
    await expectEnd(driven, fakes);
  });
});
