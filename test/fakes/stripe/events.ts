import type { Stripe } from 'stripe';
import { newId, type StripeState } from './state.ts';

/** Records an event about an object as it is at this moment. https://docs.stripe.com/api/events */
export function addEvent(
  type: Stripe.Event.Type,
  object: object,
  request: { id: string | null; idempotency_key: string | null },
  apiVersion: string | null,
  state: StripeState,
  now: number,
): Stripe.Event {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: now,
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 0,
    request,
    type,
  } as unknown as Stripe.Event;
  state.events[event.id] = event;
  return event;
}
