import type { Context } from 'hono';
import { offerSeconds } from '../../../locales/format/offer-time.ts';
import { cardBearer } from '../../accounts/access-token.ts';
import { startOffer } from '../../accounts/account-table.ts';
import { holdsPrice, isValidStamp } from '../../catalog/checkout-terms.ts';
import { createHandlers } from '../../http/handlers.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import type { App } from '../../platform/env.ts';
import { verificationSecrets } from '../../platform/hmac.ts';
import { cachedClientToken } from '../gateways/braintree/client-token-cache.ts';
import { threeDSecureOf } from '../gateways/settings.ts';
import { paymentRoutes } from './payment-routes.ts';

/** The countdown of a page that holds a price begins with its settings. @returns undefined for another page */
async function offerSecondsLeft(c: Context<App>): Promise<number | undefined> {
  const stamp = c.req.header('x-terms') ?? '';
  if (!holdsPrice(stamp) || !isValidStamp(verificationSecrets(c.env), stamp)) return undefined;
  const { session } = c.var;
  const now = Date.now();
  const start = await startOffer(accountDatabase(c.env, session.id), session, now);
  return Math.max(0, offerSeconds - (now - start) / 1000);
}

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
    offer_seconds_left: await offerSecondsLeft(c),
  });
});
