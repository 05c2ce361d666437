import { expect, test } from 'vitest';
import { dispute, endSubscription, refund } from '../attempts/provider-side.ts';
import { dayMs, gateways } from '../payments-fixture.ts';
import { down, lateSharing, paymentOf, type SharingOwner } from './sharing-fixture.ts';

/** Every way in which a plan ends. */
const ends: Record<string, (one: SharingOwner) => Promise<unknown>> = {
  'a full refund by an operator': (one) => one.stub.refund(paymentOf(one), null, 'all'),
  'a full refund at the provider': async (one) => {
    await refund(one.fakes, one.purchase.gateway, paymentOf(one));
    await one.stub.sync();
  },
  'a lost dispute': async (one) => {
    await dispute(one.fakes, one.purchase.gateway, paymentOf(one));
    await one.stub.sync();
  },
  'an open dispute': async (one) => {
    one.fakes[one.purchase.gateway].dispute(paymentOf(one));
    await one.stub.sync();
  },
  'a claim of the guarantee': (one) => one.stub.claim([one.attempt.id]),
  'the provider’s end, after the period': async (one) => {
    const { subscriptionId } = one.attempt.charge ?? {};
    await endSubscription(one.fakes, one.purchase.gateway, subscriptionId ?? '');
    await one.stub.sync();
    one.wait(12 * dayMs);
  },
  'a cancellation by owner or operator, after the period': async (one) => {
    await one.stub.cancelSubscription(one.attempt.id);
    await one.runAlarm();
    one.wait(12 * dayMs);
  },
  'an unpaid renewal, after the grace': async (one) => {
    one.wait(19 * dayMs);
  },
  'a pause': async (one) => {
    const pause = { kind: 'pause', plan: null, months: 1 } as const;
    const quote = await one.stub.quoteChange(one.attempt.id, pause);
    if (quote.kind !== 'quoted') throw new Error(quote.refusal);
    await one.stub.confirmChange(one.attempt.id, quote.change.id);
    await one.runAlarm();
    one.wait(12 * dayMs);
  },
  'a refund of an upgrade': async (one) => {
    const upgrade = { kind: 'upgrade', plan: 'quarterly_usd', months: null } as const;
    const quote = await one.stub.quoteChange(one.attempt.id, upgrade as never);
    if (quote.kind !== 'quoted') throw new Error(quote.refusal);
    await one.stub.confirmChange(one.attempt.id, quote.change.id);
    await one.runAlarm();
    expect(await one.shared.view()).toMatchObject({ state: 'accepted' });
    one.wait(dayMs);
    const { rows } = await one.owned();
    await one.stub.refund(rows.at(-1)?.paymentId ?? paymentOf(one), null, 'upgrade');
  },
  'the account’s deletion': (one) => one.stub.deleteAccount(async () => null),
};

test.each(gateways.flatMap((gateway) => Object.keys(ends).map((how) => [how, gateway] as const)))(
  'end of sharing: %s at %s ends it, and the invitee gets one SMS',
  async (how, gateway) => {
    const one = await lateSharing(gateway);
    await ends[how]?.(one);
    for (const _again of [1, 2]) await one.runAlarm();
    expect(await one.stored()).toMatchObject({
      ends: [{ state: 'stopped', name: '', evidence: { length: 5 } }],
      contact: null,
    });
    expect((await one.stored()).ends[0]?.evidence.at(-1)?.by).toBe('plan');
    expect(await one.endings()).toHaveLength(1);
  },
);

test.each(Object.keys(ends))(
  'end of sharing: after %s nothing is readable, although no invitee was told',
  async (how) => {
    const one = await lateSharing('stripe');
    await one.cut(down);
    await ends[how]?.(one);
    expect((await one.stored()).ends).toMatchObject([{ state: 'accepted' }]);
    expect(await one.shared.view()).toMatchObject({ state: 'not_shared', position: null });
    expect(await one.invitee.invite(one.request)).toMatchObject({ kind: 'refused' });
  },
);
