import * as v from 'valibot';

const name = v.nullable(v.string());

const schema = v.object({
  gateway: v.picklist(['stripe', 'braintree']),
  /** The gateway's own id of the event; two messages with the same one are the same event. */
  id: v.string(),
  type: v.string(),
  /** Our account and our attempt, as we once wrote them at the gateway. */
  account: name,
  attempt: name,
  customerId: name,
  subscriptionId: name,
  paymentId: name,
  /** Stripe's invoice; a message that an older build queued has none. */
  invoiceId: v.nullish(v.string(), null),
});

/**
 * That something happened at a gateway. It says where to look, never what is so: whoever takes it
 * reads the gateway anew. A name is null where the gateway's message has none.
 */
export type GatewayEvent = v.InferInput<typeof schema>;

/** Whether something is a gateway's event, whole. */
export function isGatewayEvent(something: unknown): something is GatewayEvent {
  return v.is(schema, something);
}
