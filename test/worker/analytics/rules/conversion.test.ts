import { expect, test } from 'vitest';
import { conversionOf, pixelSuffix } from '../../../../worker/analytics/rules/conversion.ts';
import { attempt } from '../../payments/attempt-fixture.ts';

test('a purchase is told with what was paid, by the attempt’s own id', () => {
  const charge = {
    subscriptionId: 'sub_1',
    paymentId: 'pi_1',
    customerId: 'cus_1',
    methodId: 'pm_1',
    amount: 599,
    currency: 'EUR',
  } as const;
  const trace = { user: { google_client_id: '1.2' }, agent: 'Browser/1' };
  const bought = attempt({ plan: 'monthly_7d_eur', amount: 699, charge });
  expect(conversionOf(bought, trace, 7)).toEqual({
    ...trace,
    event: 'a',
    plan: 'monthly_7d_eur',
    price: 5.99,
    currency: 'EUR',
    subscription: 'sub_1',
    at: 7,
  });
});

test('only production’s purchases count', () => {
  expect([pixelSuffix(true), pixelSuffix(false)]).toEqual(['', '_test']);
});
