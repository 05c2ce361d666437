import { Catalog } from '../../../worker/catalog/rules/catalog.ts';
import type { Plan } from '../../../worker/catalog/rules/plans.ts';
import { minor } from '../../../worker/platform/types.ts';

const prices = { USD: minor(3999), EUR: minor(3999) };

const catalog = new Catalog({
  currencies: ['USD', 'EUR'],
  products: {
    // A plan of the same name exists at Braintree.
    monthly: {
      slot: 'main',
      label: 'Monthly plan',
      period: 'month',
      grace_days: 7,
      versions: { 1: { prices, intro: { days: 14, free: true } } },
    },
  },
});

/** A monthly plan that is free for 14 days. */
export const trialPlan = (currency: 'USD' | 'EUR' = 'USD'): Plan =>
  catalog.planOf('monthly', currency);
