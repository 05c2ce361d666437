import { track } from '../runtime/track.ts';
import { mergeEventsData } from './events.ts';
import type { Outcome } from './purchase.ts';

type Paid = Extract<Outcome, { is: 'paid' }>;

/** Tells of a purchase that succeeded, once however often its success is looked at. */
export function tellPurchase(
  name: 'subs_purchase_completed' | 'upsell_purchase_completed',
  plan: string,
  { id, event, price }: Paid,
): void {
  const currency = plan.split('_').at(-1)?.toUpperCase();
  const purchase = { plan, price: Number(price), currency, sub_id: id, event_id: event };
  mergeEventsData({ [name]: purchase });
  track(name, purchase, event);
}
