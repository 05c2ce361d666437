import type { GatewayName } from '../../../worker/payments/purchase/state.ts';
import type { PurchaseResult } from '../../checkout/purchase.ts';
import { mergeEventsData } from '../../stores/events.ts';
import { queuePixelPurchase } from './pixel-purchases.ts';
import { track } from './track.ts';

type Paid = Extract<PurchaseResult, { kind: 'paid' }>;
type Unpaid = Exclude<PurchaseResult, Paid>;

export function trackPurchase(
  name: 'subs_purchase_completed' | 'upsell_purchase_completed',
  plan: string,
  { id, event, price }: Paid,
): void {
  const currency = plan.split('_').at(-1)?.toUpperCase() ?? '';
  const purchase = { plan, price: Number(price), currency, sub_id: id, event_id: event };
  mergeEventsData({ [name]: purchase });
  queuePixelPurchase(purchase);
  track(name, purchase, event);
}

export function trackPurchaseFailure(
  plan: string,
  gateway: GatewayName,
  { decline }: Unpaid,
): void {
  const decline_code = decline.replaceAll(/\W+/g, '_') || 'unknown';
  track('subs_purchase_failed', { plan, gateway, decline_code });
}
