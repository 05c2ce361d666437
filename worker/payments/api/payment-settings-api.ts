import type { Context } from 'hono';
import { offerSeconds } from '../../../locales/format/offer-time.ts';
import { cardBearer } from '../../accounts/access-token.ts';
import { startOffer } from '../../accounts/account-table.ts';
import { holdsPrice, isValidStamp } from '../../catalog/checkout-terms.ts';
import { defaultGateway, gatewayNames } from '../../catalog/rules/gateway-names.ts';
import { createHandlers } from '../../http/handlers.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import type { App } from '../../platform/env.ts';
import { verificationSecrets } from '../../platform/hmac.ts';
import { gateways } from '../gateways/index.ts';
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
  const keys = new Map(
    await Promise.all(
      gatewayNames.map(async (name) => {
        const key = await gateways[name].browserKey(c.env, market.currency, c.var.log);
        return [name, key] as const;
      }),
    ),
  );
  const routes = await paymentRoutes(c, (name) => keys.get(name) !== null);
  return c.json({
    ...Object.fromEntries([...keys].map(([name, key]) => [gateways[name].browserKeyField, key])),
    stripe_account_name: c.env.STRIPE_ACCOUNT_NAME ?? '',
    payment_gateway: routes.card[0] ?? defaultGateway,
    payment_routes: routes,
    request_three_d_secure: threeDSecureOf(c.env),
    offer_seconds_left: await offerSecondsLeft(c),
  });
});
