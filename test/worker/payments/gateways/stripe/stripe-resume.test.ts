import { afterEach, expect, test, vi } from 'vitest';
import { cancel } from '../../../../../worker/payments/gateways/stripe/cancel-resume.ts';
import { statement } from '../../../../../worker/payments/gateways/stripe/statement.ts';
import { resume } from '../../../../../worker/payments/gateways/stripe/stripe-resume.ts';
import { withFaults } from '../../../../fakes/faults.ts';
import { buy, day, oneBadCall, renewal } from '../bought.ts';

afterEach(() => void vi.unstubAllGlobals());

type Bought = Awaited<ReturnType<typeof buy>>;

const stop = (on: Bought, askedAt: number) => cancel(on.stripe, on.order, askedAt, on.clock.now());
const goOn = (on: Bought, askedAt: number) => resume(on.stripe, on.order, askedAt, on.clock.now());
const told = (on: Bought) => statement(on.stripe, on.order);
const sums = async (on: Bought) => (await told(on)).captures.map(({ amount }) => amount);

test.each([
  ['monthly_usd', [3999, 3999]],
  ['monthly_3d_usd', [299, 3999]],
])('%s goes on as if it had never been cancelled', async (plan, captures) => {
  const on = await buy(plan);
  await stop(on, 1);
  await goOn(on, 2);
  await goOn(on, 2);
  expect(await told(on)).toMatchObject({ status: 'active', ends: false });
  on.clock.until(plan === 'monthly_usd' ? renewal + day : renewal - 20 * day);
  expect(await sums(on)).toEqual(captures);
});

test('every change of mind within one hour is a call of its own, and the last one counts', async () => {
  const on = await buy('monthly_usd');
  for (const [stopped, resumed] of [
    [1, 2],
    [3, 4],
  ] as const) {
    await stop(on, stopped);
    expect((await told(on)).ends).toBe(true);
    await goOn(on, resumed);
    expect((await told(on)).ends).toBe(false);
  }
  await stop(on, 5);
  on.clock.until(renewal + 40 * day);
  expect([(await told(on)).status, await sums(on)]).toEqual(['ended', [3999]]);
});

test('an end that an operator set for a day is taken back too', async () => {
  const on = await buy('monthly_usd');
  const id = on.order.attempt.charge?.subscriptionId ?? '';
  await on.stripe.subscriptions.update(id, { cancel_at: Math.floor(renewal / 1000) - 86_400 });
  expect((await told(on)).ends).toBe(true);
  await goOn(on, 1);
  expect((await told(on)).ends).toBe(false);
});

test('what was not cancelled, or is over, is left alone', async () => {
  const on = await buy('monthly_usd');
  await goOn(on, 1);
  await stop(on, 2);
  on.clock.until(renewal + day);
  const before = on.calls.length;
  await goOn(on, 3);
  expect(on.calls.slice(before)).toEqual([expect.stringMatching(/^GET /)]);
  expect((await told(on)).status).toBe('ended');
});

test.each([
  ['that never arrive', 0.1],
  ['whose reply is lost', 0.5],
  ['that fail', 0.9],
])('over a line with calls %s, the next try finishes', async (_, kind) => {
  for (let good = 0; good < 2; good++) {
    const on = await buy('monthly_usd', {
      line: (next) => withFaults(next, { rate: 0.5, random: oneBadCall(good + 4, kind) }),
    });
    await stop(on, 1);
    await goOn(on, 2).catch(() => goOn(on, 2));
    expect((await told(on)).ends).toBe(false);
  }
});
