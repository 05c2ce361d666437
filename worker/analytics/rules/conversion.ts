import { minorPerUnit } from '../../../locales/format/currency.ts';
import type { Currency } from '../../catalog/rules/currencies.ts';
import type { Attempt } from '../../payments/purchase/state.ts';
import type { VisitorId } from '../../platform/types.ts';
import type { Attribution } from '../../visitor/attribution.ts';

export interface AdClickData {
  user: Attribution;
  /** The visitor's uuid, to notice a withdrawn consent; never sent to a network. */
  visitor?: VisitorId;
  agent?: string;
  address?: string;
}

export interface Conversion extends AdClickData {
  /** The attempt's id, which the browser's pixel sends too, so a network counts the purchase once. */
  event: string;
  plan: string;
  /** Today's payment, in major units. */
  price: number;
  currency: Currency;
  /** The gateway's subscription id; null for a one-time purchase. */
  subscription: string | null;
  at: number;
}

export const pixelSuffix = (production: boolean): string => (production ? '' : '_test');

export function conversionOf(
  { id, plan, amount, charge }: Attempt,
  clickData: AdClickData,
  now: number,
): Conversion {
  const { currency } = plan;
  return {
    ...clickData,
    event: id,
    plan: plan.id,
    price: (charge?.amount ?? amount) / minorPerUnit(currency),
    currency,
    subscription: charge?.subscriptionId ?? null,
    at: now,
  };
}
