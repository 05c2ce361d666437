import * as v from 'valibot';

const name = v.nullable(v.string());

const schema = v.object({
  gateway: v.picklist(['stripe', 'braintree']),
  /** The gateway's id of the event; messages with the same id are the same event. */
  id: v.string(),
  type: v.string(),
  /** Our ids, from the metadata that we wrote at the gateway. */
  account: name,
  attempt: name,
  customerId: name,
  subscriptionId: name,
  paymentId: name,
  /** Stripe's invoice; missing in messages that an older build queued. */
  invoiceId: v.nullish(v.string(), null),
});

/**
 * A webhook, reduced to the ids of what to read again; null where it has none. Its content is not
 * trusted.
 */
export type GatewayEvent = v.InferInput<typeof schema>;

export function isGatewayEvent(message: unknown): message is GatewayEvent {
  return v.is(schema, message);
}
