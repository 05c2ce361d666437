import type { Context } from 'hono';
import type { Currency } from '../../catalog/rules/currencies.ts';
import { defaultGateway } from '../../catalog/rules/gateway-names.ts';
import type { Market } from '../../catalog/rules/markets.ts';
import type { Plan, PlanFamily } from '../../catalog/rules/plans.ts';
import { stripeWallets } from '../../catalog/rules/stripe-wallets.ts';
import type { RoutingRule } from '../../experiments/rules/routing.ts';
import { type PaymentMethod, paymentMethods, routeOf } from '../../experiments/rules/routing.ts';
import { familiesOf } from '../../experiments/rules/shown-offer.ts';
import { type App, isSynthetic } from '../../platform/env.ts';
import { admitsPage } from '../attempts/circuits.ts';
import { canCharge } from '../gateways/index.ts';
import { sells } from '../purchase/gateway-traits.ts';
import type { GatewayName } from '../purchase/state.ts';

type Routes = Record<PaymentMethod, GatewayName[]>;

/** Whether a gateway takes payments in a currency, and sells all that this visitor is offered. */
export function sellsOffer(
  c: Pick<Context<App>, 'env' | 'var'>,
  name: GatewayName,
  currency: Currency = c.var.visitor.market.currency,
): boolean {
  const { configuration, offer } = c.var.assignment;
  const { unsold, catalog } = configuration;
  const sellsFamily = (family: PlanFamily) => {
    const { period = 'once' } = catalog.shapeOf(family) ?? {};
    return sells(name, { id: `${family}_${currency.toLowerCase()}`, period }, unsold);
  };
  return canCharge(name, c.env, currency) && familiesOf(offer, catalog).every(sellsFamily);
}

function configuredRoute(
  c: Context<App>,
  method: PaymentMethod,
  currency: Currency,
): GatewayName[] {
  const { assignment, visitor, account } = c.var;
  const payment = { market: visitor.market.id, method };
  const route = routeOf(assignment.configuration.routing, payment, account);
  return route.filter((name) => sellsOffer(c, name, currency));
}

/**
 * The gateways that take this account's payments now, the first one first; all of them if none does, so that a
 * buyer can always try.
 * @param isUsable whether a page can show the gateway's fields at all
 */
export async function paymentRoutes(
  c: Context<App>,
  isUsable: (name: GatewayName) => boolean,
): Promise<Routes> {
  const routes = paymentMethods.map((method) =>
    configuredRoute(c, method, c.var.visitor.market.currency),
  );
  const names = [...new Set(routes.flat())];
  const checksCircuits = names.length > 1 && !isSynthetic(c.env);
  const admitted = await Promise.all(
    names.map(
      async (name) =>
        !checksCircuits || !isUsable(name) || (await admitsPage(name, c.var.account, c.env)),
    ),
  );
  const open = names.filter((name, at) => isUsable(name) && admitted[at]);
  const [card = [], wallet = []] = routes.map((route) => {
    const now = route.filter((name) => open.includes(name));
    return now.length > 0 ? now : route;
  });
  return { card, wallet };
}

const isWallet = (method: string) => ['wallet', ...stripeWallets].includes(method);

export const otherGateways = (
  c: Context<App>,
  gateway: GatewayName,
  method: string,
  plan: Plan,
): GatewayName[] =>
  configuredRoute(c, isWallet(method) ? 'wallet' : 'card', plan.currency).filter(
    (name) => name !== gateway && sells(name, plan, c.var.assignment.configuration.unsold),
  );

/** The card gateway of most accounts in a market: pages use it, because all accounts get the same HTML. */
export function likelyGateway(
  routing: readonly RoutingRule[],
  market: Market['id'],
  sells: (name: GatewayName) => boolean,
): GatewayName {
  const route = routeOf(routing, { market, method: 'card' }, null);
  return route.find(sells) ?? defaultGateway;
}
