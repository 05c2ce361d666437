import { expect, test } from 'vitest';
import { cancel, resume } from '../../../../../worker/payments/gateways/stripe/cancel-resume.ts';
import { statement } from '../../../../../worker/payments/gateways/stripe/statement.ts';
import { withFaults } from '../../../../fakes/faults.ts';
import { type Bought, buy, dayMs, failOneCall, hourMs, renewalAt } from './stripe-fixture.ts';

const cancelAt = (on: Bought, requestedAt = 1) =>
  cancel(on.stripe, on.order, requestedAt, on.clock.now());
const resumeAt = (on: Bought, requestedAt: number) =>
  resume(on.stripe, on.order, requestedAt, on.clock.now());
const read = (on: Bought) => statement(on.stripe, on.order);
const amounts = async (on: Bought) => (await read(on)).captures.map(({ amount }) => amount);

test.each([
  ['monthly_usd', 3999],
  ['quarterly_eur', 5999],
  ['monthly_3d_usd', 299],
])(
  'cancel: %s runs on to the end of its paid period, and is not charged again',
  async (plan, paid) => {
    const on = await buy(plan);
    await cancelAt(on);
    const { status, ends, paidUntil } = await read(on);
    expect([status, ends]).toEqual(['active', true]);
    on.clock.until((paidUntil ?? 0) - 1000);
    expect((await read(on)).status).toBe('active');
    on.clock.until((paidUntil ?? 0) + 100 * dayMs);
    expect((await read(on)).status).toBe('ended');
    expect(await amounts(on)).toEqual([paid]);
  },
);

test('cancel: a repeated cancellation writes nothing', async () => {
  const on = await buy('monthly_usd');
  for (let i = 0; i < 3; i++) await cancelAt(on);
  on.clock.until(renewalAt + dayMs);
  await cancelAt(on);
  expect(on.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  expect(on.calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
});

test('cancel: a past due subscription ends at once, and its invoice is void', async () => {
  const on = await buy('monthly_usd');
  on.replaceCard();
  on.clock.until(renewalAt + 2 * hourMs);
  await cancelAt(on);
  on.replaceCard('pm_card_visa');
  on.clock.until(renewalAt + 30 * dayMs);
  expect(await read(on)).toMatchObject({ status: 'ended', paidUntil: renewalAt });
  expect(await amounts(on)).toEqual([3999]);
  const invoices = await on.direct.invoices.list({ subscription: on.subscription ?? '' });
  expect(invoices.data.map(({ status }) => status)).toEqual(['void', 'paid']);
});

test('cancel: in the hour before a renewal is charged, the subscription ends at once', async () => {
  const on = await buy('monthly_usd');
  on.clock.until(renewalAt + hourMs / 2);
  await cancelAt(on);
  on.clock.until(renewalAt + 70 * dayMs);
  expect(await read(on)).toMatchObject({ status: 'ended' });
  expect(await amounts(on)).toEqual([3999]);
});

test('cancel: a renewal that fails between the read and the update ends the subscription', async () => {
  const on: Bought = await buy('monthly_usd', {
    wrap: (next) => async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'POST') on.clock.until(renewalAt + 2 * hourMs);
      return next(request);
    },
  });
  on.replaceCard();
  on.clock.until(renewalAt - 1000);
  await cancelAt(on);
  on.replaceCard('pm_card_visa');
  on.clock.until(renewalAt + 40 * dayMs);
  expect((await read(on)).status).toBe('ended');
  expect(await amounts(on)).toEqual([3999]);
});

test.each([
  ['that never arrive', 0.1],
  ['whose reply is lost', 0.5],
  ['that fail', 0.9],
])('cancel: with calls %s, a retry finishes the cancellation', async (_, kind) => {
  for (const pastDue of [false, true]) {
    for (let good = 0; good < 4; good++) {
      const on = await buy('monthly_usd', {
        wrap: (next) => withFaults(next, { rate: 0.5, random: failOneCall(good, kind) }),
      });
      if (pastDue) {
        on.replaceCard();
        on.clock.until(renewalAt + 2 * hourMs);
      }
      await cancelAt(on).catch(() => cancelAt(on));
      on.replaceCard('pm_card_visa');
      on.clock.until(renewalAt + 40 * dayMs);
      // The failing call may be one of these.
      const { status, captures } = await read(on).catch(() => read(on));
      expect([status, captures.map(({ amount }) => amount)]).toEqual(['ended', [3999]]);
    }
  }
});

test('cancel: a 500 that Stripe replays for a day is avoided within the hour', async () => {
  const on = await buy('monthly_usd');
  on.during((call) => {
    if (call === 'POST /subscriptions/:id') throw new Error('boom');
  });
  await expect(cancelAt(on)).rejects.toThrow();
  on.during(() => undefined);
  await expect(cancelAt(on)).rejects.toThrow();
  on.clock.advance(hourMs);
  await cancelAt(on);
  expect((await read(on)).ends).toBe(true);
});

test('cancel: a one-time plan makes no call', async () => {
  const on = await buy('guide_899_usd');
  await cancelAt(on);
  expect(on.calls).toEqual([]);
});

test.each([
  ['monthly_usd', [3999, 3999]],
  ['monthly_3d_usd', [299, 3999]],
])('resume: %s renews as if it had never been cancelled', async (plan, captures) => {
  const on = await buy(plan);
  await cancelAt(on, 1);
  await resumeAt(on, 2);
  await resumeAt(on, 2);
  expect(await read(on)).toMatchObject({ status: 'active', ends: false });
  on.clock.until(plan === 'monthly_usd' ? renewalAt + dayMs : renewalAt - 20 * dayMs);
  expect(await amounts(on)).toEqual(captures);
});

test('resume: of several changes of mind within an hour the last one counts', async () => {
  const on = await buy('monthly_usd');
  for (const [cancelled, resumed] of [
    [1, 2],
    [3, 4],
  ] as const) {
    await cancelAt(on, cancelled);
    expect((await read(on)).ends).toBe(true);
    await resumeAt(on, resumed);
    expect((await read(on)).ends).toBe(false);
  }
  await cancelAt(on, 5);
  on.clock.until(renewalAt + 40 * dayMs);
  expect([(await read(on)).status, await amounts(on)]).toEqual(['ended', [3999]]);
});

test('resume: an end date that an operator set is removed too', async () => {
  const on = await buy('monthly_usd');
  const id = on.order.attempt.charge?.subscriptionId ?? '';
  await on.stripe.subscriptions.update(id, { cancel_at: Math.floor(renewalAt / 1000) - 86_400 });
  expect((await read(on)).ends).toBe(true);
  await resumeAt(on, 1);
  expect((await read(on)).ends).toBe(false);
});

test('resume: a subscription that was not cancelled, or has ended, is left alone', async () => {
  const on = await buy('monthly_usd');
  await resumeAt(on, 1);
  await cancelAt(on, 2);
  on.clock.until(renewalAt + dayMs);
  const before = on.calls.length;
  await resumeAt(on, 3);
  expect(on.calls.slice(before)).toEqual([expect.stringMatching(/^GET /)]);
  expect((await read(on)).status).toBe('ended');
});

test.each([
  ['that never arrive', 0.1],
  ['whose reply is lost', 0.5],
  ['that fail', 0.9],
])('resume: with calls %s, a retry finishes the resumption', async (_, kind) => {
  for (let good = 0; good < 2; good++) {
    const on = await buy('monthly_usd', {
      wrap: (next) => withFaults(next, { rate: 0.5, random: failOneCall(good + 4, kind) }),
    });
    await cancelAt(on, 1);
    await resumeAt(on, 2).catch(() => resumeAt(on, 2));
    expect((await read(on)).ends).toBe(false);
  }
});
