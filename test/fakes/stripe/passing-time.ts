import type { Call } from './call.ts';
import { idOf } from './find.ts';
import { voidInvoice } from './voiding.ts';

const PATIENCE = 23 * 3_600;

/**
 * "If the first invoice is not paid within 23 hours, the subscription transitions to
 * incomplete_expired. This is a terminal status, the open invoice will be voided."
 * https://docs.stripe.com/api/subscriptions/object#subscription_object-status
 * Renewals are not played: a trial that has ended reads as active once it owes nothing.
 */
export function passTime(context: Pick<Call, 'state' | 'now' | 'emit'>): void {
  const { state, now, emit } = context;
  for (const subscription of Object.values(state.subscriptions)) {
    if (subscription.status !== 'incomplete' || now < subscription.created + PATIENCE) {
      continue;
    }
    subscription.status = 'incomplete_expired';
    subscription.ended_at = now;
    const invoice = state.invoices[idOf(subscription.latest_invoice)];
    if (invoice) voidInvoice(invoice, context);
    emit('customer.subscription.updated', subscription);
  }
}
