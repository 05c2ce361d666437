import { afterEach, expect, test, vi } from 'vitest';
import { statement } from '../../../../../worker/payments/gateways/stripe/statement.ts';
import { buyPlan } from '../../../../fakes/stripe/harness.ts';
import { boughtAt, buy, dayMs, hourMs, renewalAt } from './stripe-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

const at = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date);

test('Stripe statement: a new subscription has one capture and is paid for a month, by two calls', async () => {
  const on = await buy('monthly_usd');
  expect(await statement(on.stripe, on.order)).toEqual({
    status: 'active',
    paidUntil: renewalAt,
    ends: false,
    captures: [{ id: on.intent, paymentId: on.intent, amount: 3999, at: boughtAt }],
    refunds: [],
    disputes: [],
  });
  expect(on.calls.sort()).toEqual(['GET /charges', 'GET /invoices']);
});

test('Stripe statement: an intro is paid until its trial ends, then for a month', async () => {
  const on = await buy('monthly_7d_eur');
  expect(await statement(on.stripe, on.order)).toMatchObject({
    status: 'active',
    paidUntil: at(2026, 1, 22),
  });
  on.clock.until(at(2026, 3, 1));
  const later = await statement(on.stripe, on.order);
  expect(later).toMatchObject({ status: 'active', paidUntil: at(2026, 3, 22) });
  expect(later.captures.map(({ amount, at: when }) => [amount, when])).toEqual([
    [699, boughtAt],
    [3999, at(2026, 1, 22) + hourMs],
    [3999, at(2026, 2, 22) + hourMs],
  ]);
});

test('Stripe statement: other purchases of the customer are left out', async () => {
  const on = await buy('monthly_usd');
  await buyPlan({ ...on, stripe: on.direct }, { ...on.plan, price: 799, today: 799 });
  on.clock.until(renewalAt + 2 * hourMs);
  const { captures } = await statement(on.stripe, on.order);
  expect(captures.map(({ amount }) => amount)).toEqual([3999, 3999]);
});

test('Stripe statement: a failed renewal is past due, then ended', async () => {
  const on = await buy('monthly_usd');
  on.replaceCard();
  on.clock.until(renewalAt + 2 * hourMs);
  const late = await statement(on.stripe, on.order);
  expect(late).toMatchObject({ status: 'past_due', paidUntil: renewalAt, ends: false });
  expect(late.captures).toHaveLength(1);
  on.clock.until(renewalAt + 20 * dayMs);
  const ended = { status: 'ended', paidUntil: renewalAt, ends: true };
  expect(await statement(on.stripe, on.order)).toMatchObject(ended);
});

test('Stripe statement: a cancelled subscription is active until the end of its period', async () => {
  const on = await buy('monthly_usd');
  const id = on.subscription ?? '';
  await on.direct.subscriptions.update(id, { cancel_at_period_end: true });
  const ending = { paidUntil: renewalAt, ends: true };
  expect(await statement(on.stripe, on.order)).toMatchObject({ status: 'active', ...ending });
  on.clock.until(renewalAt);
  expect(await statement(on.stripe, on.order)).toMatchObject({ status: 'ended', ...ending });
});

test('Stripe statement: failed refunds, open and won disputes do not count', async () => {
  const on = await buy('monthly_usd');
  const { direct, fake, clock } = on;
  const refund = (payment_intent: string, amount: number) =>
    direct.refunds.create({ payment_intent, amount });
  const made = await refund(on.intent, 1000);
  fake.failRefund((await refund(on.intent, 500)).id);
  clock.until(renewalAt + 2 * hourMs);
  const second = (await statement(on.stripe, on.order)).captures[1]?.id ?? '';
  const id = fake.dispute(second);
  const open = await statement(on.stripe, on.order);
  expect(open.refunds).toEqual([{ id: made.id, paymentId: on.intent, amount: 1000, at: boughtAt }]);
  expect(open.disputes).toEqual([]);
  await direct.disputes.close(id);
  const lost = await statement(on.stripe, on.order);
  const taken = { id, paymentId: second, amount: 3999, at: renewalAt + 2 * hourMs };
  expect(lost.disputes).toEqual([taken]);
  const won = fake.dispute(on.intent);
  await direct.disputes.update(won, { evidence: { uncategorized_text: 'winning_evidence' } });
  expect((await statement(on.stripe, on.order)).disputes).toEqual([taken]);
});

test('Stripe statement: refunds beyond the ten of a charge are included', async () => {
  const on = await buy('monthly_usd');
  for (let i = 1; i <= 12; i++) {
    await on.direct.refunds.create({ payment_intent: on.intent, amount: i });
  }
  const { refunds } = await statement(on.stripe, on.order);
  expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(78);
  expect(on.calls.filter((call) => call === 'GET /refunds')).toHaveLength(1);
});

test('Stripe statement: a one-time plan takes one call, and ends when it is fully refunded', async () => {
  const on = await buy('guide_1799_eur');
  const whole = { status: 'active', paidUntil: null, ends: false };
  expect(await statement(on.stripe, on.order)).toMatchObject({
    ...whole,
    captures: [{ id: on.intent, amount: 1799 }],
  });
  expect(on.calls).toEqual(['GET /charges']);
  await on.direct.refunds.create({ payment_intent: on.intent, amount: 1000 });
  expect(await statement(on.stripe, on.order)).toMatchObject(whole);
  await on.direct.refunds.create({ payment_intent: on.intent });
  expect(await statement(on.stripe, on.order)).toMatchObject({ ...whole, status: 'ended' });
});

test('Stripe statement: without an answer it throws', async () => {
  const on = await buy('monthly_usd', { wrap: () => () => Promise.reject(new TypeError('lost')) });
  await expect(statement(on.stripe, on.order)).rejects.toThrow();
});
