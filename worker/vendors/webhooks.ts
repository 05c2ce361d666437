import type { Env } from '../env.ts';
import type { GatewayEvent } from '../funnel/gateway-event.ts';
import type { GatewayName } from '../funnel/purchase.ts';
import { readStripe } from './stripe-event.ts';

/** A webhook as it was posted. */
export interface Posted {
  /** The body, byte for byte. */
  body: string;
  headers: Headers;
}

/**
 * Reads a gateway's webhook.
 *
 * @param now ms since 1970
 * @returns null unless the gateway itself signed this body lately
 */
export type ReadWebhook = (env: Env, posted: Posted, now: number) => Promise<GatewayEvent | null>;

/** Who reads the webhooks of a gateway. */
export const webhookReaders: Partial<Record<GatewayName, ReadWebhook>> = {
  stripe: readStripe,
};
