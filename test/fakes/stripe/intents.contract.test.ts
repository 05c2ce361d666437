import { expect, test } from 'vitest';
import { harness, refusal } from './harness.ts';

test('an amount below the smallest charge is refused', async () => {
  const { stripe } = await harness();
  const error = await refusal(stripe.paymentIntents.create({ amount: 49, currency: 'usd' }));
  expect(error).toMatchObject({ statusCode: 400, code: 'amount_too_small' });
});

test('a server that confirms must say where a redirect comes back to, or allow none', async () => {
  const { stripe } = await harness();
  const create = (more: object) =>
    stripe.paymentIntents.create({
      amount: 1799,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm: true,
      ...more,
    });
  expect((await refusal(create({}))).message).toContain('return_url');
  const ways = [
    { return_url: 'https://funnel.example' },
    { allowed_payment_method_types: ['card'] },
    { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } },
  ];
  for (const way of ways) expect((await create(way)).status).toBe('succeeded');
});
