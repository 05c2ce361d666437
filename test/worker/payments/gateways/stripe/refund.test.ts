import { afterEach, expect, test, vi } from 'vitest';
import { RefundRefused, refund } from '../../../../../worker/payments/gateways/stripe/refund.ts';
import { withFaults } from '../../../../fakes/faults.ts';
import { bought, buy, day, oneBadCall } from '../bought.ts';

afterEach(() => void vi.unstubAllGlobals());

type Bought = Awaited<ReturnType<typeof buy>>;

const give = (on: Bought, amount: number, key: string, payment = on.intent) =>
  refund(on.stripe, on.order, payment, amount, key);
const given = ({ fake }: Bought) => fake.captures()[0]?.refunded;
const reason = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (error instanceof RefundRefused ? error.reason : error),
  );

test('in parts, each once for its key, then no more than is left', async () => {
  const on = await buy('monthly_usd');
  const first = await give(on, 1000, 'a');
  expect(first).toEqual({ id: first.id, paymentId: on.intent, amount: 1000, at: bought });
  expect(await give(on, 1000, 'a')).toEqual(first);
  expect(await reason(give(on, 3000, 'b'))).toBe('too_much');
  await give(on, 2999, 'c');
  expect(await reason(give(on, 1, 'd'))).toBe('too_much');
  expect(given(on)).toBe(3999);
});

test('a key is remembered when Stripe has forgotten it, and behind ten other refunds', async () => {
  const on = await buy('monthly_usd');
  const first = await give(on, 100, 'a');
  on.clock.advance(2 * day);
  for (let i = 0; i < 11; i++) await give(on, 1, `n${i}`);
  expect(await give(on, 100, 'a')).toEqual(first);
  expect(given(on)).toBe(111);
});

test('the same key at once, twenty times: one refund', async () => {
  const on = await buy('monthly_usd');
  const tries = Array.from({ length: 20 }, () => give(on, 1500, 'a').catch(() => null));
  const ids = (await Promise.all(tries)).flatMap((made) => (made ? [made.id] : []));
  expect(new Set(ids).size).toBe(1);
  expect(given(on)).toBe(1500);
});

test('two keys at once never give back more than was paid', async () => {
  const on = await buy('guide_1799_usd');
  const both = await Promise.all(['a', 'b'].map((key) => reason(give(on, 1000, key))));
  expect(both.sort()).toEqual(['done', 'too_much']);
  expect(given(on)).toBe(1000);
});

test.each([0.1, 0.5, 0.9])('over a bad line (%d) the next try gives back once', async (kind) => {
  for (let good = 0; good < 2; good++) {
    const on = await buy('monthly_usd', {
      line: (next) => withFaults(next, { rate: 0.5, random: oneBadCall(good, kind) }),
    });
    await give(on, 500, 'a').catch(() => give(on, 500, 'a'));
    expect(given(on)).toBe(500);
  }
});

test('a disputed, foreign or failed one is refused by its reason', async () => {
  const on = await buy('monthly_usd');
  const other = await on.steady.customers.create();
  const { id: foreign } = await on.steady.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    customer: other.id,
    payment_method: 'pm_card_visa',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  expect(await reason(give(on, 100, 'a', foreign))).toBe('foreign_payment');
  const { id } = await give(on, 100, 'b');
  on.fake.failRefund(id);
  expect(await reason(give(on, 100, 'b'))).toBe('failed');
  on.fake.dispute(on.intent);
  expect(await reason(give(on, 100, 'c'))).toBe('disputed');
});
