import { Hono } from 'hono';
import type { App, Env } from '../env.ts';
import type { GatewayName } from '../funnel/purchase.ts';
import { bearer } from '../token.ts';
import { keptToken } from '../vendors/client-token.ts';
import { isOpen } from '../vendors/gateways.ts';

/** The provider that takes the payments of screens that insist on none; never one without secrets. */
const gatewayOf = (env: Env): GatewayName =>
  env.PAYMENT_GATEWAY === 'braintree' && isOpen('braintree', env) ? 'braintree' : 'stripe';

/** What the browser needs to take a payment. */
export const me = new Hono<App>().get('/users/me/payments-settings', bearer, async (c) => {
  const { market } = c.var.visitor;
  return c.json({
    stripe_publishable_key: c.env.STRIPE_PUBLISHABLE_KEY,
    stripe_account_name: c.env.STRIPE_ACCOUNT_NAME,
    braintree_client_token: await keptToken(c.env, market.currency, c.var.log, Date.now()),
    payment_gateway: gatewayOf(c.env),
    request_three_d_secure: Number(c.env.REQUEST_THREE_D_SECURE) || 0,
  });
});
