import { env } from 'cloudflare:test';
import type { Env } from '../../../../worker/env.ts';
import { signatureOf } from '../../../fakes/stripe/webhooks.ts';
import { ask } from '../../request.ts';

export const secret = env.STRIPE_WEBHOOK_SECRET ?? '';

/** The body of an event of Stripe's about an object. */
export const bodyOf = (object: object, id = `evt_${crypto.randomUUID()}`) =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'invoice.paid',
    created: 1_800_000_000,
    data: { object },
  });

/** Posts a body to the Stripe webhook, signed now unless told otherwise. */
export async function postStripe(
  body: string | Uint8Array,
  signature: string | null,
  more: Partial<Env> = {},
) {
  const headers = { ...(signature !== null && { 'stripe-signature': signature }) };
  return ask('/webhooks/stripe', { method: 'POST', headers, body: body as BodyInit }, more);
}

/** The header with which Stripe signs a body, so many seconds ago. */
export const signed = (body: string, ago = 0) =>
  signatureOf(body, secret, Math.floor(Date.now() / 1000) - ago);

/** What D1 knows of an event. */
export const kept = (id: string) =>
  env.DB.prepare('SELECT type, queued_at IS NOT NULL AS queued FROM webhook_events WHERE id = ?')
    .bind(`stripe:${id}`)
    .first();
