import { afterEach, expect, test, vi } from 'vitest';
import { cancel } from '../../../../../worker/payments/gateways/stripe/cancel-resume.ts';
import { statement } from '../../../../../worker/payments/gateways/stripe/statement.ts';
import { withFaults } from '../../../../fakes/faults.ts';
import { buy, day, hour, oneBadCall, renewal } from '../bought.ts';

afterEach(() => void vi.unstubAllGlobals());

type Bought = Awaited<ReturnType<typeof buy>>;

const stop = (on: Bought, askedAt = 1) => cancel(on.stripe, on.order, askedAt, on.clock.now());
const told = (on: Bought) => statement(on.stripe, on.order);
const sums = async (on: Bought) => (await told(on)).captures.map(({ amount }) => amount);

test.each([
  ['monthly_usd', 3999],
  ['quarterly_eur', 5999],
  ['monthly_3d_usd', 299],
])('%s runs on to the end of what is paid, and is charged no more', async (plan, paid) => {
  const on = await buy(plan);
  await stop(on);
  const { status, ends, paidUntil } = await told(on);
  expect([status, ends]).toEqual(['active', true]);
  on.clock.until((paidUntil ?? 0) - 1000);
  expect((await told(on)).status).toBe('active');
  on.clock.until((paidUntil ?? 0) + 100 * day);
  expect((await told(on)).status).toBe('ended');
  expect(await sums(on)).toEqual([paid]);
});

test('again and again changes nothing and writes nothing', async () => {
  const on = await buy('monthly_usd');
  for (let i = 0; i < 3; i++) await stop(on);
  on.clock.until(renewal + day);
  await stop(on);
  expect(on.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  expect(on.calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
});

test('past due: ended at once, its invoice void, no retry', async () => {
  const on = await buy('monthly_usd');
  on.spoil();
  on.clock.until(renewal + 2 * hour);
  await stop(on);
  on.spoil('pm_card_visa');
  on.clock.until(renewal + 30 * day);
  expect(await told(on)).toMatchObject({ status: 'ended', paidUntil: renewal });
  expect(await sums(on)).toEqual([3999]);
  const invoices = await on.steady.invoices.list({ subscription: on.subscription ?? '' });
  expect(invoices.data.map(({ status }) => status)).toEqual(['void', 'paid']);
});

test('in the hour before a renewal is charged: ended at once, the draft never charged', async () => {
  const on = await buy('monthly_usd');
  on.clock.until(renewal + hour / 2);
  await stop(on);
  on.clock.until(renewal + 70 * day);
  expect(await told(on)).toMatchObject({ status: 'ended' });
  expect(await sums(on)).toEqual([3999]);
});

test('a failing renewal between the look and the stop ends it as well', async () => {
  const on: Bought = await buy('monthly_usd', {
    line: (next) => async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'POST') on.clock.until(renewal + 2 * hour);
      return next(request);
    },
  });
  on.spoil();
  on.clock.until(renewal - 1000);
  await stop(on);
  on.spoil('pm_card_visa');
  on.clock.until(renewal + 40 * day);
  expect((await told(on)).status).toBe('ended');
  expect(await sums(on)).toEqual([3999]);
});

test.each([
  ['that never arrive', 0.1],
  ['whose reply is lost', 0.5],
  ['that fail', 0.9],
])('over a line with calls %s, the next try finishes', async (_, kind) => {
  for (const pastDue of [false, true]) {
    for (let good = 0; good < 4; good++) {
      const on = await buy('monthly_usd', {
        line: (next) => withFaults(next, { rate: 0.5, random: oneBadCall(good, kind) }),
      });
      if (pastDue) {
        on.spoil();
        on.clock.until(renewal + 2 * hour);
      }
      await stop(on).catch(() => stop(on));
      on.spoil('pm_card_visa');
      on.clock.until(renewal + 40 * day);
      // The bad call may be one of these.
      const { status, captures } = await told(on).catch(() => told(on));
      expect([status, captures.map(({ amount }) => amount)]).toEqual(['ended', [3999]]);
    }
  }
});

test('a reply of 500 that Stripe keeps for a day is left behind within the hour', async () => {
  const on = await buy('monthly_usd');
  on.during((call) => {
    if (call === 'POST /subscriptions/:id') throw new Error('boom');
  });
  await expect(stop(on)).rejects.toThrow();
  on.during(() => undefined);
  await expect(stop(on)).rejects.toThrow();
  on.clock.advance(hour);
  await stop(on);
  expect((await told(on)).ends).toBe(true);
});

test('what is paid once has nothing to stop', async () => {
  const on = await buy('guide_899_usd');
  await stop(on);
  expect(on.calls).toEqual([]);
});
