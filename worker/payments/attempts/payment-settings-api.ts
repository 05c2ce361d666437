import { cardBearer } from '../../accounts/access-token.ts';
import { createHandlers } from '../../http/handlers.ts';
import { cachedClientToken } from '../gateways/braintree/client-token-cache.ts';
import { threeDSecureOf } from '../gateways/settings.ts';
import { paymentRoutes } from './payment-routes.ts';

export const getPaymentSettings = createHandlers(cardBearer, async (c) => {
  const { market } = c.var.visitor;
  const token = await cachedClientToken(c.env, market.currency, c.var.log, Date.now());
  const routes = await paymentRoutes(c, (name) => name === 'stripe' || token !== null);
  return c.json({
    stripe_publishable_key: c.env.STRIPE_PUBLISHABLE_KEY ?? '',
    stripe_account_name: c.env.STRIPE_ACCOUNT_NAME ?? '',
    braintree_client_token: token,
    payment_gateway: routes.card[0] ?? 'stripe',
    payment_routes: routes,
    request_three_d_secure: threeDSecureOf(c.env),
  });
});
