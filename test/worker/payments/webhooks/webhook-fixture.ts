import { env } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { GatewayEvent } from '../../../../worker/payments/purchase/gateway.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { paymentIdOf } from '../../../../worker/platform/types.ts';
import { signatureOf } from '../../../fakes/stripe/webhooks.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { request } from '../../request.ts';
import type { Plain } from '../attempts/attempt-fixture.ts';
import { buy, buyer, stubStripe } from '../payments-fixture.ts';

/** An event without an account. */
export const gatewayEvent = (change: Plain<Partial<GatewayEvent>> = {}): GatewayEvent => ({
  gateway: 'stripe',
  id: `evt_${crypto.randomUUID()}`,
  type: 'invoice.paid',
  account: null,
  attempt: null,
  customerId: null,
  subscriptionId: null,
  paymentId: null,
  invoiceId: null,
  ...(change as Partial<GatewayEvent>),
});

/** A queue, or a database, that is down. */
export const failingBinding = {
  send: () => Promise.reject(new Error('down')),
  prepare: () => ({ bind: () => ({ first: fail, run: fail, all: fail }) }),
  batch: () => Promise.reject(new Error('down')),
} as never;

const fail = () => Promise.reject(new Error('down'));

export const secret = env.STRIPE_WEBHOOK_SECRET ?? '';

/** The body of a Stripe event about an object. */
export const bodyOf = (object: object, id = `evt_${crypto.randomUUID()}`) =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'invoice.paid',
    created: 1_800_000_000,
    data: { object },
  });

/** Posts a body to the Stripe webhook, by default signed now. */
export async function postStripe(
  body: string | Uint8Array,
  signature: string | null,
  more: Partial<Env> = {},
) {
  const headers = { ...(signature !== null && { 'stripe-signature': signature }) };
  return request('/webhooks/stripe', { method: 'POST', headers, body: body as BodyInit }, more);
}

/** Stripe's signature header for a body, signed now. */
export const signed = (body: string) => signatureOf(body, secret, Math.floor(Date.now() / 1000));

/** The row of an event in D1. */
export const storedEvent = (id: string) =>
  env.DB.prepare('SELECT type, queued_at IS NOT NULL AS queued FROM webhook_events WHERE id = ?')
    .bind(`stripe:${id}`)
    .first();

/** A Stripe fake that uses the tests' clock, and a connection that can lose replies, or be down. */
export function stubUnreliableStripe() {
  const line = { dead: false, lose: (_call: string) => false, calls: [] as string[] };
  const fake = stubStripe({
    wrap: (next) => async (input, init) => {
      const { method, url } = new Request(input, init);
      const call = `${method} ${new URL(url).pathname}`;
      line.calls.push(call);
      if (line.dead) {
        return Response.json({ error: { type: 'authentication_error' } }, { status: 401 });
      }
      const response = await next(input, init);
      // Not a lost connection, which the client would retry by itself, with pauses.
      if (line.lose(call)) return new Response('', { status: 401 });
      return response;
    },
  });
  return { fake, line };
}

/** An account that has bought, and whose purchase is in D1. */
export async function buyAndProject(change: Partial<Purchase> = {}) {
  const { stub, purchase } = buyer(change);
  const { id: attempt, charge, state } = await buy(stub, purchase);
  const projected = () =>
    env.DB.prepare('SELECT state FROM attempts WHERE id = ?').bind(attempt).first('state');
  await vi.waitFor(async () => expect(await projected()).toBe(state), pollTimeout);
  return {
    stub,
    attempt,
    account: purchase.account,
    paymentId: charge?.paymentId ?? paymentIdOf(''),
  };
}
