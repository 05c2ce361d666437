import type { Currency } from '../../worker/catalog/rules/currencies.ts';
import type { Plan } from '../../worker/catalog/rules/plans.ts';
import type { Card } from '../../worker/payments/purchase/card-update.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { call } from '../runtime/api.ts';
import { sessionToken } from '../stores/signup.ts';

/** The data of the card page; amounts in minor units, times in ms since 1970. */
export interface RenewalCard {
  gateway: GatewayName;
  card: Card | null;
  /** Null while the gateway does not respond. */
  due: number | null;
  currency: Currency;
  renewal: {
    price: number;
    period: Plan['period'];
    at: number | null;
    later: SubscriptionView['later'];
  };
  /** The next charge of this card, which can be for an extra, or for another plan after a change. */
  next: { amount: number; at: number } | null;
  overdue: boolean;
  /** When the period that the open amount pays for began; null if a new one begins with the payment; absent while unknown. */
  since?: number | null;
}

/** @returns null when nothing renews */
export async function loadCard(bearer = sessionToken()): Promise<RenewalCard | null> {
  type Shown = { data: RenewalCard | { gateway: null } };
  const { data } = await call<Shown>('/users/me/card', { bearer });
  return data.gateway ? data : null;
}
