import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { withFaults } from '../faults.ts';
import { harness, numbers, refusal, subscribe } from './harness.ts';

describe('Stripe fake: idempotency', () => {
  const options = { idempotencyKey: 'attempt-1' };

  test('replays status and body, declines too, for 24 hours', async () => {
    const on = await harness();
    const { stripe, clock } = on;
    const first = await stripe.customers.create({ email: 'a@example.com' }, options);
    const again = await stripe.customers.create({ email: 'a@example.com' }, options);
    expect(again.id).toBe(first.id);
    expect(new Headers(again.lastResponse.headers).get('idempotent-replayed')).toBe('true');
    clock.advance(24 * 3_600_000);
    const next = await stripe.customers.create({ email: 'a@example.com' }, options);
    expect(next.id).not.toBe(first.id);
    const { intent } = await subscribe(on, on.customer);
    const decline = () =>
      refusal(
        stripe.paymentIntents.confirm(
          intent,
          { payment_method: 'pm_card_visa_chargeDeclined' },
          { idempotencyKey: 'c1' },
        ),
      );
    const one = await decline();
    const two = await decline();
    expect(two.charge).toBe(one.charge);
    expect(Object.keys(on.fake.state.charges)).toHaveLength(1);
  });

  test('other parameters or another call under the same key are refused', async () => {
    const { stripe } = await harness();
    await stripe.customers.create({ email: 'a@example.com' }, options);
    const error = await refusal(stripe.customers.create({ email: 'b@example.com' }, options));
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(error).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' });
    const other = await refusal(stripe.products.create({ name: 'x' }, options));
    expect(other.rawType).toBe('idempotency_error');
  });

  test('the same key twice at once: one runs, the other is told so', async () => {
    const gate = Promise.withResolvers<void>();
    const on = await harness();
    on.during(() => gate.promise);
    const first = on.stripe.customers.create({ name: 'x' }, options);
    const second = await refusal(on.stripe.customers.create({ name: 'x' }, options));
    expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    gate.resolve();
    expect((await first).object).toBe('customer');
  });

  test('a 500 is saved, a refused parameter is not', async () => {
    const on = await harness();
    on.during(() => {
      throw new Error('boom');
    });
    const failed = await refusal(on.stripe.customers.create({ name: 'x' }, options));
    expect(failed.statusCode).toBe(500);
    on.during(() => undefined);
    const again = await refusal(on.stripe.customers.create({ name: 'x' }, options));
    expect(again.statusCode).toBe(500);
    const key = { idempotencyKey: 'k2' };
    const wrong = { name: 'x', nmae: 'x' } as Stripe.CustomerCreateParams;
    await refusal(on.stripe.customers.create(wrong, key));
    expect((await on.stripe.customers.create({ name: 'x' }, key)).name).toBe('x');
  });

  test('a lost reply: the replay gives the same object, money moves once', async () => {
    // Drawn in pairs: whether the call fails (0 is below any rate), then how (0.5 loses the reply).
    const faulty = await harness({
      fetch: (fetch) => withFaults(fetch, { rate: 0.5, random: numbers(0, 0.5, 0.9) }),
    });
    const on = faulty;
    const attempt = () =>
      on.faulty.subscriptions.create(
        { customer: on.customer, items: [{ price: on.price }], default_payment_method: on.method },
        options,
      );
    const error = await refusal(attempt());
    expect(error).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(on.fake.captures()).toHaveLength(1);
    const replayed = await attempt();
    expect(replayed.status).toBe('active');
    expect(on.fake.captures()).toMatchObject([{ subscription: replayed.id }]);
  });
});
