import { bearer } from '../accounts/access-token.ts';
import { createHandlers } from '../http/handlers.ts';
import { cachedClientToken } from './gateways/braintree/client-token-cache.ts';
import { settingsGateway } from './gateways/index.ts';
import { threeDSecureOf } from './gateways/settings.ts';

/** What the browser needs to take a payment. */
export const getPaymentSettings = createHandlers(bearer, async (c) => {
  const { market } = c.var.visitor;
  return c.json({
    stripe_publishable_key: c.env.STRIPE_PUBLISHABLE_KEY ?? '',
    stripe_account_name: c.env.STRIPE_ACCOUNT_NAME ?? '',
    braintree_client_token: await cachedClientToken(c.env, market.currency, c.var.log, Date.now()),
    payment_gateway: settingsGateway(c.env),
    request_three_d_secure: threeDSecureOf(c.env),
  });
});
