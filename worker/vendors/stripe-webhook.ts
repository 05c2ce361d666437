import Stripe from 'stripe';

/** What an authentic event says, as far as it concerns us: whom to read anew, never what is true. */
export interface StripeEvent {
  id: string;
  type: string;
  /** Our account, where the object names it. */
  account: string | null;
  customerId: string | null;
  /** The payment that the object is or belongs to; all that a dispute names. */
  paymentId: string | null;
  /** An invoice, and the subscription that it is for. */
  invoiceId: string | null;
  subscriptionId: string | null;
  /** ms since 1970. */
  created: number;
}

/** The oldest signature that is taken, in seconds. */
const tolerance = 300;
const provider = Stripe.createSubtleCryptoProvider();

/** The client reads a header loosely (`t=12x` is 12); we take it only as Stripe writes it. */
const wellFormed = /^t=[1-9]\d{0,11}(,v\d=[\w+/-]+)+$/;

const within = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** The id of a reference, expanded or not. */
const idOf = (value: unknown): string | null => text(value) ?? text(within(value, 'id'));

const ours = (object: unknown): string | null =>
  text(within(object, 'metadata', 'account')) ??
  text(within(object, 'parent', 'subscription_details', 'metadata', 'account'));

/**
 * Reads a webhook. Nothing of the object but ids leaves this function.
 *
 * @param rawBody the body as it arrived, byte for byte
 * @param signature the header `Stripe-Signature`
 * @param secret the endpoint's, `whsec_…`
 * @param now ms since 1970
 * @returns null for anything that Stripe did not sign with this secret in the last 300 s
 */
export async function readStripeEvent(
  rawBody: string,
  signature: string | null,
  secret: string,
  now: number,
): Promise<StripeEvent | null> {
  if (!signature || !wellFormed.test(signature)) return null;
  let event: unknown;
  try {
    event = await Stripe.webhooks.constructEventAsync(
      rawBody,
      signature,
      secret,
      tolerance,
      provider,
      now,
    );
  } catch {
    return null;
  }
  const id = text(within(event, 'id'));
  const type = text(within(event, 'type'));
  const created = within(event, 'created');
  if (!id || !type || typeof created !== 'number') return null;
  const object = within(event, 'data', 'object');
  const kind = within(object, 'object');
  return {
    id,
    type,
    account: ours(object),
    customerId: idOf(within(object, kind === 'customer' ? 'id' : 'customer')),
    paymentId: idOf(within(object, kind === 'payment_intent' ? 'id' : 'payment_intent')),
    invoiceId: kind === 'invoice' ? idOf(object) : null,
    subscriptionId: idOf(within(object, 'parent', 'subscription_details', 'subscription')),
    created: created * 1000,
  };
}
