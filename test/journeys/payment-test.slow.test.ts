import { expect } from 'vitest';
import { cards, payWith } from './pay.ts';
import { journey } from './run-journey.ts';

journey('payment test: needs only a card', async ({ visitor, server }) => {
  const { customers } = server.fakes.stripe.state;
  const before = new Set(Object.keys(customers));
  await visitor.open('/auto-signup');
  await visitor.arriveAt('checkout-test');
  await visitor.checkAccessibility();
  await visitor.page.getByRole('radio', { name: /5-day intro/ }).check();
  await payWith(visitor, cards.approved);
  await visitor.arriveAt('success');
  const [customer] = Object.values(customers).filter(({ id }) => !before.has(id));
  expect(customer?.email).toMatch(/^test-[\w-]+@example\.com$/);
  expect(server.gatewayCaptures(customer?.email ?? '')).toEqual([
    { plan: 'monthly_5d_usd', amount: 499, currency: 'usd' },
  ]);
});
