import { Hono } from 'hono';
import type { App } from '../env.ts';
import { bearer } from '../token.ts';

/**
 * What the browser needs to take a payment (our own accounts are charged through Stripe only), and
 * which plan is active in each slot.
 */
export const me = new Hono<App>()
  .get('/users/me/payments-settings', bearer, (c) =>
    c.json({
      stripe_publishable_key: c.env.STRIPE_PUBLISHABLE_KEY,
      stripe_account_name: c.env.STRIPE_ACCOUNT_NAME,
      braintree_client_token: null,
      payment_gateway: 'stripe',
      request_three_d_secure: 0,
    }),
  )
  .get('/users/me/purchases', bearer, async (c) => {
    const purchases = c.env.PURCHASES.getByName(c.var.account);
    const [main, upsell, guide] = await Promise.all([
      purchases.active('main'),
      purchases.active('upsell'),
      purchases.active('guide'),
    ]);
    return c.json({ data: { main, upsell, guide } });
  });
