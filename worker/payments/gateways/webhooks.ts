import type { Env } from '../../env.ts';
import type { GatewayName } from '../rules/attempt.ts';
import type { GatewayEvent } from '../rules/gateway-event.ts';
import { braintreeEvents, readBraintreeWebhook } from './braintree/webhook.ts';
import { readStripeWebhook, stripeEvents } from './stripe/webhook.ts';

/** @param now ms since 1970 @returns null unless the gateway signed this body recently */
export type ReadWebhook = (
  env: Env,
  posted: { body: string; headers: Headers },
  now: number,
) => Promise<GatewayEvent | null>;

export const webhookReaders: Record<GatewayName, ReadWebhook> = {
  stripe: readStripeWebhook,
  braintree: readBraintreeWebhook,
};

/** The event types that each endpoint is registered for. Any other type is acknowledged and dropped. */
export const webhookEvents: Record<GatewayName, readonly string[]> = {
  stripe: stripeEvents,
  braintree: braintreeEvents,
};
