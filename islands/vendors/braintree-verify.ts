import type { Client, ThreeDSecure } from 'braintree-web';
import { braintreeModule } from './braintree-modules.ts';

/** A nonce, and the first digits of its card. */
export interface CardNonce {
  nonce: string;
  bin: string;
}

const made = new WeakMap<Client, Promise<ThreeDSecure>>();

/** Loaded at the first challenge; kept, because Braintree lets there be one only. */
function threeDSecureOf(client: Client, vendors: string): Promise<ThreeDSecure> {
  const known = made.get(client);
  if (known) return known;
  const created = braintreeModule('threeDSecure', vendors).then((module) =>
    module.create({ client, version: 2 }),
  );
  made.set(client, created);
  created.catch(() => made.delete(client));
  return created;
}

/**
 * Has the bank verify the payer, with a question if it wants to ask one.
 *
 * @param amount decimal, such as `6.99`
 * @returns the nonce that takes the old one's place; the server reads from it how it ended
 * @throws Braintree's error, when the bank could not be asked
 */
export async function verifyCard(
  client: Client,
  vendors: string,
  { nonce, bin }: CardNonce,
  amount: string,
): Promise<string> {
  const threeDSecure = await threeDSecureOf(client, vendors);
  const verified = await threeDSecure.verifyCard({
    nonce,
    bin,
    amount,
    onLookupComplete: (_, next) => next(),
  });
  return verified.nonce;
}
