import { planFamilies, planOf } from '../../../worker/catalog/plans.ts';
import { merchant } from './client-token.ts';
import { decimal } from './state.ts';

/** A plan of the control panel; the price in minor units. */
export interface MerchantPlan {
  id: string;
  price: number;
  currency: string;
  /** Months. */
  frequency: number;
  /** Cycles after which a subscription ends; null for never. */
  cycles: number | null;
  /** Discounts that its subscriptions inherit. */
  discounts?: readonly string[];
}

/** A plan for each subscription of our catalog. */
export const ourPlans = (): MerchantPlan[] =>
  planFamilies
    .flatMap((family) => (['USD', 'EUR'] as const).map((currency) => planOf(family, currency)))
    .filter(({ period }) => period !== 'once')
    .map(({ id, price, currency, period }) => ({
      id,
      price,
      currency,
      frequency: period === 'quarter' ? 3 : 1,
      cycles: null,
    }));

/** A plan as the list of plans has it. */
export const planFields = ({
  id,
  price,
  currency,
  frequency,
  cycles,
  discounts,
}: MerchantPlan) => ({
  id,
  'merchant-id': merchant.id,
  'billing-day-of-month': null,
  'billing-frequency': frequency,
  'currency-iso-code': currency,
  description: null,
  name: id,
  'number-of-billing-cycles': cycles,
  price: decimal(price),
  'trial-period': false,
  discounts: { item: 'discount', list: (discounts ?? []).map((name) => ({ id: name })) },
});
