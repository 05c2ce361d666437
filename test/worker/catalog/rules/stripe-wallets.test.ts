import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currencies } from '../../../../worker/catalog/rules/currencies.ts';
import {
  stripeWallets,
  stripeWalletsFor,
} from '../../../../worker/catalog/rules/stripe-wallets.ts';
import { minor } from '../../../../worker/platform/types.ts';
import { everywhereCatalog } from '../../../fakes/everywhere-catalog.ts';

const plans = everywhereCatalog.plansIn(currencies);

const payment = fc.record({
  enabled: fc.subarray([...stripeWallets]),
  merchantCountry: fc.constantFrom('DE', 'GB', 'CH', 'US', 'IN'),
  country: fc.constantFrom('DE', 'US', 'IN', 'JP', 'XX'),
  plan: fc.constantFrom(...plans),
  amount: fc.integer({ min: 0, max: 10_000 }).map(minor),
});

test('Stripe wallets: only enabled ones, never for a single payment, and no Link in India', () => {
  fc.assert(
    fc.property(payment, (request) => {
      const offered = stripeWalletsFor(request);
      expect(request.enabled).toEqual(expect.arrayContaining(offered));
      if (request.plan.period === 'once') expect(offered).toEqual([]);
      if (request.country === 'IN') expect(offered).not.toContain('link');
    }),
  );
});

const subscription = (currency: string) => {
  const found = plans.find((plan) => plan.currency === currency && plan.period === 'month');
  if (!found) throw new Error(`no plan in ${currency}`);
  return found;
};
const offered = (merchantCountry: string, currency: string, amount = 999, country = 'DE') =>
  stripeWalletsFor({
    enabled: stripeWallets,
    merchantCountry,
    country,
    plan: subscription(currency),
    amount: minor(amount),
  });

test('Stripe wallets: PayPal for a European business alone, in a currency of PayPal', () => {
  expect(['DE', 'GB', 'CH', 'NO', 'US', 'JP'].map((business) => offered(business, 'EUR'))).toEqual([
    ['link', 'paypal'],
    ['link', 'paypal'],
    ['link', 'paypal'],
    ['link', 'paypal'],
    ['link'],
    ['link'],
  ]);
  const offeredCurrencies = currencies.filter((currency) =>
    offered('DE', currency, 10_000).includes('paypal'),
  );
  expect(offeredCurrencies.join(' ')).toBe(
    'USD EUR GBP CAD AUD PLN SEK CHF CZK DKK HKD NOK NZD SGD',
  );
  expect(offered('DE', 'EUR', 999, 'IN')).toEqual(['paypal']);
});

test('Stripe wallets: PayPal from the least amount of its currency', () => {
  for (const [currency, least] of [
    ['EUR', 50],
    ['USD', 50],
    ['CHF', 50],
    ['AUD', 50],
    ['CAD', 50],
    ['GBP', 30],
    ['PLN', 200],
    ['SEK', 300],
    ['CZK', 1500],
  ] as const) {
    expect(offered('DE', currency, least)).toContain('paypal');
    expect(offered('DE', currency, least - 1)).not.toContain('paypal');
  }
});
