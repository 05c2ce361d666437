import { expect, test } from 'vitest';
import { conversionOf, pixelSuffix } from '../../../../worker/analytics/rules/conversion.ts';
import { attempt } from '../../payments/attempts/attempt-fixture.ts';

test('conversion: has the paid amount and the attempt’s id', () => {
  const charge = {
    subscriptionId: 'sub_1',
    paymentId: 'pi_1',
    customerId: 'cus_1',
    methodId: 'pm_1',
    amount: 599,
    currency: 'EUR',
  } as const;
  const trace = { user: { google_client_id: '1.2' }, agent: 'Browser/1' };
  expect(conversionOf(attempt({ plan: 'monthly_7d_eur', amount: 699, charge }), trace, 7)).toEqual({
    ...trace,
    event: 'a',
    plan: 'monthly_7d_eur',
    price: 5.99,
    currency: 'EUR',
    subscription: 'sub_1',
    at: 7,
  });
});

test('conversion: test purchases have a suffix', () =>
  expect([pixelSuffix(true), pixelSuffix(false)]).toEqual(['', '_test']));
