import { afterEach, expect, test, vi } from 'vitest';
import { statement } from '../../../../../worker/payments/gateways/stripe/statement.ts';
import { buyPlan } from '../../../../fakes/stripe/harness.ts';
import { bought, buy, day, hour, renewal } from '../bought.ts';

afterEach(() => void vi.unstubAllGlobals());

const at = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date);

test('a new purchase: its one payment, paid for a month, told in two calls', async () => {
  const on = await buy('monthly_usd');
  expect(await statement(on.stripe, on.order)).toEqual({
    status: 'active',
    paidUntil: renewal,
    ends: false,
    captures: [{ id: on.intent, paymentId: on.intent, amount: 3999, at: bought }],
    refunds: [],
    disputes: [],
  });
  expect(on.calls.sort()).toEqual(['GET /charges', 'GET /invoices']);
});

test('an intro is paid until its trial ends, then for a month; sums are what was captured', async () => {
  const on = await buy('monthly_7d_eur');
  expect(await statement(on.stripe, on.order)).toMatchObject({
    status: 'active',
    paidUntil: at(2026, 1, 22),
  });
  on.clock.until(at(2026, 3, 1));
  const later = await statement(on.stripe, on.order);
  expect(later).toMatchObject({ status: 'active', paidUntil: at(2026, 3, 22) });
  expect(later.captures.map(({ amount, at: when }) => [amount, when])).toEqual([
    [699, bought],
    [3999, at(2026, 1, 22) + hour],
    [3999, at(2026, 2, 22) + hour],
  ]);
});

test('what the same customer bought besides is not in it', async () => {
  const on = await buy('monthly_usd');
  await buyPlan({ ...on, stripe: on.steady }, { ...on.plan, price: 799, today: 799 });
  on.clock.until(renewal + 2 * hour);
  const { captures } = await statement(on.stripe, on.order);
  expect(captures.map(({ amount }) => amount)).toEqual([3999, 3999]);
});

test('a renewal that fails: past due, paid until the last period’s end; then ended', async () => {
  const on = await buy('monthly_usd');
  on.spoil();
  on.clock.until(renewal + 2 * hour);
  const late = await statement(on.stripe, on.order);
  expect(late).toMatchObject({ status: 'past_due', paidUntil: renewal, ends: false });
  expect(late.captures).toHaveLength(1);
  on.clock.until(renewal + 20 * day);
  const ended = { status: 'ended', paidUntil: renewal, ends: true };
  expect(await statement(on.stripe, on.order)).toMatchObject(ended);
});

test('one that ends at its period’s end is active until then', async () => {
  const on = await buy('monthly_usd');
  const id = on.subscription ?? '';
  await on.steady.subscriptions.update(id, { cancel_at_period_end: true });
  const ending = { paidUntil: renewal, ends: true };
  expect(await statement(on.stripe, on.order)).toMatchObject({ status: 'active', ...ending });
  on.clock.until(renewal);
  expect(await statement(on.stripe, on.order)).toMatchObject({ status: 'ended', ...ending });
});

test('refunds and lost disputes are movements; failed refunds, open and won disputes are not', async () => {
  const on = await buy('monthly_usd');
  const { steady, fake, clock } = on;
  const back = (payment_intent: string, amount: number) =>
    steady.refunds.create({ payment_intent, amount });
  const kept = await back(on.intent, 1000);
  fake.failRefund((await back(on.intent, 500)).id);
  clock.until(renewal + 2 * hour);
  const second = (await statement(on.stripe, on.order)).captures[1]?.id ?? '';
  const id = fake.dispute(second);
  const open = await statement(on.stripe, on.order);
  expect(open.refunds).toEqual([{ id: kept.id, paymentId: on.intent, amount: 1000, at: bought }]);
  expect(open.disputes).toEqual([]);
  await steady.disputes.close(id);
  const lost = await statement(on.stripe, on.order);
  const taken = { id, paymentId: second, amount: 3999, at: renewal + 2 * hour };
  expect(lost.disputes).toEqual([taken]);
  const won = fake.dispute(on.intent);
  await steady.disputes.update(won, { evidence: { uncategorized_text: 'winning_evidence' } });
  expect((await statement(on.stripe, on.order)).disputes).toEqual([taken]);
});

test('more refunds than a charge shows are all there', async () => {
  const on = await buy('monthly_usd');
  for (let i = 1; i <= 12; i++) {
    await on.steady.refunds.create({ payment_intent: on.intent, amount: i });
  }
  const { refunds } = await statement(on.stripe, on.order);
  expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(78);
  expect(on.calls.filter((call) => call === 'GET /refunds')).toHaveLength(1);
});

test('a guide is paid once, in one call; given back whole it is ended', async () => {
  const on = await buy('guide_1799_eur');
  const whole = { status: 'active', paidUntil: null, ends: false };
  expect(await statement(on.stripe, on.order)).toMatchObject({
    ...whole,
    captures: [{ id: on.intent, amount: 1799 }],
  });
  expect(on.calls).toEqual(['GET /charges']);
  await on.steady.refunds.create({ payment_intent: on.intent, amount: 1000 });
  expect(await statement(on.stripe, on.order)).toMatchObject(whole);
  await on.steady.refunds.create({ payment_intent: on.intent });
  expect(await statement(on.stripe, on.order)).toMatchObject({ ...whole, status: 'ended' });
});

test('no answer is no statement', async () => {
  const on = await buy('monthly_usd', { line: () => () => Promise.reject(new TypeError('lost')) });
  await expect(statement(on.stripe, on.order)).rejects.toThrow();
});
