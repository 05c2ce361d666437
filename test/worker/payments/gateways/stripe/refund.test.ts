import { afterEach, expect, test, vi } from 'vitest';
import { RefundRefused, refund } from '../../../../../worker/payments/gateways/stripe/refund.ts';
import { withFaults } from '../../../../fakes/faults.ts';
import { type Bought, boughtAt, buy, dayMs, oneBadCall } from './stripe-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

const refundOf = (on: Bought, amount: number, key: string, payment = on.intent) =>
  refund(on.stripe, on.order, payment, amount, key);
const refunded = ({ fake }: Bought) => fake.captures()[0]?.refunded;
const reason = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (error instanceof RefundRefused ? error.reason : error),
  );

test('Stripe refund: partial refunds, once per key, never exceed the remainder', async () => {
  const on = await buy('monthly_usd');
  const first = await refundOf(on, 1000, 'a');
  expect(first).toEqual({ id: first.id, paymentId: on.intent, amount: 1000, at: boughtAt });
  expect(await refundOf(on, 1000, 'a')).toEqual(first);
  expect(await reason(refundOf(on, 3000, 'b'))).toBe('too_much');
  await refundOf(on, 2999, 'c');
  expect(await reason(refundOf(on, 1, 'd'))).toBe('too_much');
  expect(refunded(on)).toBe(3999);
});

test('Stripe refund: a retry finds its refund after a day, and behind ten other refunds', async () => {
  const on = await buy('monthly_usd');
  const first = await refundOf(on, 100, 'a');
  on.clock.advance(2 * dayMs);
  for (let i = 0; i < 11; i++) await refundOf(on, 1, `n${i}`);
  expect(await refundOf(on, 100, 'a')).toEqual(first);
  expect(refunded(on)).toBe(111);
});

test('Stripe refund: twenty concurrent calls with one key refund once', async () => {
  const on = await buy('monthly_usd');
  const tries = Array.from({ length: 20 }, () => refundOf(on, 1500, 'a').catch(() => null));
  const ids = (await Promise.all(tries)).flatMap((made) => (made ? [made.id] : []));
  expect(new Set(ids).size).toBe(1);
  expect(refunded(on)).toBe(1500);
});

test('Stripe refund: two concurrent keys never refund more than was paid', async () => {
  const on = await buy('guide_1799_usd');
  const both = await Promise.all(['a', 'b'].map((key) => reason(refundOf(on, 1000, key))));
  expect(both.sort()).toEqual(['done', 'too_much']);
  expect(refunded(on)).toBe(1000);
});

test.each([0.1, 0.5, 0.9])(
  'Stripe refund: with lost calls (%d) the next try refunds once',
  async (kind) => {
    for (let good = 0; good < 2; good++) {
      const on = await buy('monthly_usd', {
        wrap: (next) => withFaults(next, { rate: 0.5, random: oneBadCall(good, kind) }),
      });
      await refundOf(on, 500, 'a').catch(() => refundOf(on, 500, 'a'));
      expect(refunded(on)).toBe(500);
    }
  },
);

test('Stripe refund: a disputed, foreign or failed one is refused with its reason', async () => {
  const on = await buy('monthly_usd');
  const other = await on.direct.customers.create();
  const { id: foreign } = await on.direct.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    customer: other.id,
    payment_method: 'pm_card_visa',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  expect(await reason(refundOf(on, 100, 'a', foreign))).toBe('foreign_payment');
  const { id } = await refundOf(on, 100, 'b');
  on.fake.failRefund(id);
  expect(await reason(refundOf(on, 100, 'b'))).toBe('failed');
  on.fake.dispute(on.intent);
  expect(await reason(refundOf(on, 100, 'c'))).toBe('disputed');
});
