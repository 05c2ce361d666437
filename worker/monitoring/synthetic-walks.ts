import { defaultGateway, gatewayNames } from '../catalog/rules/gateway-names.ts';
import { builtInFlows, type Flow, isCheckout } from '../experiments/rules/flows.ts';
import { gateways } from '../payments/gateways/index.ts';
import type { GatewayName } from '../payments/purchase/state.ts';
import type { Env } from '../platform/env.ts';
import { typedKeys } from '../platform/keys.ts';
import { reasonOf } from '../platform/log.ts';
import type { Check } from './rules/walks.ts';
import { countries, type Funnel, StepFailed, Visit, type Walk } from './synthetic-visitor.ts';

/** Each market with each provider that a flow uses. */
export function walksOf(env: Env): Walk[] {
  const usual = gatewayNames.find((name) => gateways[name].isConfigured(env)) ?? defaultGateway;
  const flowOf: Record<GatewayName, Flow | undefined> = {
    stripe: undefined,
    // The flow whose checkout names Braintree.
    braintree: builtInFlows.lp11ch8b,
    [usual]: builtInFlows.default,
  };
  return gatewayNames.flatMap((gateway) => {
    const flow = flowOf[gateway];
    if (!flow || !gateways[gateway].isConfigured(env)) return [];
    return typedKeys(countries).map((market) => ({
      ...{ market, country: countries[market], gateway, flow },
    }));
  });
}

/** @param buys whether it also buys and refunds; only with test keys */
export async function walk(
  one: Walk,
  funnel: Funnel,
  buys: boolean,
  now: () => number = Date.now,
): Promise<Check> {
  const { market, gateway, flow } = one;
  const { env } = funnel;
  const version = env.CF_VERSION_METADATA?.id ?? 'unknown';
  const startedAt = now();
  const visit = new Visit(one, funnel);
  let step = 'landing';
  const check = (ok: boolean, reason: string, bought = false): Check => ({
    version,
    market,
    gateway,
    at: startedAt,
    ms: now() - startedAt,
    ok,
    step,
    reason,
    bought,
  });
  try {
    const checkout = flow.findIndex(isCheckout);
    const screens = flow.slice(0, checkout);
    for (const [at, screen] of screens.entries()) {
      step = at === 0 ? 'landing' : screen;
      await visit.page(`/${screen}`, screen);
    }
    // With a product API the accounts belong to another system, so the walk creates none.
    if (env.PRODUCT_API_URL) return check(true, '');
    step = 'signup';
    await visit.signUp();
    step = flow[checkout] ?? 'checkout';
    await visit.page(`/${step}`, step);
    step = 'provider';
    await visit.paymentForm();
    await visit.provider();
    // Only with test keys, so that a check never charges anything.
    if (!buys || !gateways[gateway].isTestMode(env)) return check(true, '');
    step = 'buy';
    const payment = await visit.buy();
    step = 'refund';
    await visit.refund(payment);
    return check(true, '', true);
  } catch (error) {
    // The message of a failed call may quote our request.
    const reason = error instanceof StepFailed ? error.message : reasonOf(error);
    return check(false, reason);
  }
}

/** In test mode one walk buys, a different one each minute. @param minute since 1970; null if none is to buy */
export function walkAll(funnel: Funnel, minute: number | null): Promise<Check[]> {
  const walks = walksOf(funnel.env);
  const buyer = minute === null ? -1 : minute % walks.length;
  return Promise.all(walks.map((one, at) => walk(one, funnel, at === buyer)));
}
