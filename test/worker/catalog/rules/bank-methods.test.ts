import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bankMethods, bankMethodsFor } from '../../../../worker/catalog/rules/bank-methods.ts';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { marketOf } from '../../../../worker/catalog/rules/markets.ts';
import { minor } from '../../../../worker/platform/types.ts';

const payment = fc.record({
  enabled: fc.subarray([...bankMethods]),
  country: fc.constantFrom('NL', 'BE', 'DE', 'FR', 'US', 'GB', 'PL', 'CH', 'XX'),
  plan: fc.constantFrom(...builtInCatalog.plansIn(['EUR', 'USD'])),
  amount: fc.integer({ min: 0, max: 10_000 }).map(minor),
});

test('bank methods: only enabled ones, for a plan in EUR in the euro zone, from an amount of 0.50', () => {
  fc.assert(
    fc.property(payment, (request) => {
      const { enabled, country, plan, amount } = request;
      const offered = bankMethodsFor(request);
      expect(enabled).toEqual(expect.arrayContaining(offered));
      if (offered.length === 0) return;
      expect([plan.currency, marketOf(country).id, amount >= 50]).toEqual(['EUR', 'euro', true]);
      expect(plan.period).not.toBe('once');
    }),
  );
});

test('bank methods: iDEAL in the Netherlands, Bancontact in Belgium, a debit in every euro country', () => {
  const [monthly] = builtInCatalog
    .plansIn(['EUR'])
    .filter(({ period, introDays }) => period !== 'once' && !introDays);
  if (!monthly) throw new Error('no plan');
  const offered = (country: string) =>
    bankMethodsFor({ enabled: bankMethods, country, plan: monthly, amount: minor(3999) });
  const of = (amount: number) =>
    bankMethodsFor({ enabled: bankMethods, country: 'DE', plan: monthly, amount: minor(amount) });
  expect([of(49), of(50)]).toEqual([[], ['sepa_debit']]);
  expect(['NL', 'BE', 'DE', 'US'].map(offered)).toEqual([
    ['sepa_debit', 'ideal'],
    ['sepa_debit', 'bancontact'],
    ['sepa_debit'],
    [],
  ]);
});

test('bank methods: an intro is not debited, as it would renew before the bank has paid', () => {
  const intros = builtInCatalog.plansIn(['EUR']).filter(({ introDays }) => introDays > 0);
  expect(intros.length).toBeGreaterThan(0);
  for (const plan of intros) {
    const request = { enabled: bankMethods, country: 'NL', plan, amount: plan.today };
    expect(bankMethodsFor(request)).toEqual(['ideal']);
  }
});
