import * as v from 'valibot';
import { defaultGateway, gatewayNames } from '../../catalog/rules/gateway-names.ts';
import { type Market, marketIds } from '../../catalog/rules/markets.ts';
import { bucketOf, pickVariant } from './split.ts';

export const paymentMethods = ['card', 'wallet'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

type GatewayName = (typeof gatewayNames)[number];

const maxRules = 50;

const distinct = (all: readonly string[]) => new Set(all).size === all.length;
/** Adds hundredths of a percent, so that fractions add up exactly. */
export const addUpTo100 = (all: readonly { weight: number }[]) =>
  all.reduce((total, { weight }) => total + Math.round(weight * 100), 0) === 10_000;
const someOf = <const T extends readonly string[]>(names: T) =>
  v.optional(
    v.pipe(
      v.array(v.picklist(names)),
      v.minLength(1),
      v.check((all) => distinct(all), 'names one twice'),
    ),
  );

const rule = v.object({
  markets: someOf(marketIds),
  methods: someOf(paymentMethods),
  /** The order in which gateways are tried; the weight is the percentage of accounts that start at one. */
  gateways: v.pipe(
    v.array(
      v.object({
        name: v.picklist(gatewayNames),
        weight: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
      }),
    ),
    v.minLength(1),
    v.check((all) => distinct(all.map(({ name }) => name)), 'names a gateway twice'),
    v.check((all) => addUpTo100(all), 'weights do not add up to 100'),
  ),
});

export type RoutingRule = v.InferOutput<typeof rule>;

const covers = <T>(wide: readonly T[] | undefined, narrow: readonly T[] | undefined) =>
  !wide || (narrow?.every((one) => wide.includes(one)) ?? false);

/** Whether a rule is reachable, because no earlier rule takes all its payments. */
const isReached = (rules: readonly RoutingRule[], at: number) =>
  !rules
    .slice(0, at)
    .some(
      ({ markets, methods }) =>
        covers(markets, rules[at]?.markets) && covers(methods, rules[at]?.methods),
    );

/** The first rule that fits the market and the method decides. */
export const routingSchema = v.pipe(
  v.array(rule),
  v.maxLength(maxRules),
  v.check((rules) => rules.every((_, at) => isReached(rules, at)), 'a rule is never reached'),
);

const builtIn: RoutingRule['gateways'] = gatewayNames.map((name) => ({
  name,
  weight: name === defaultGateway ? 100 : 0,
}));

interface Payment {
  market: Market['id'];
  method: PaymentMethod;
}

function gatewaysFor(rules: readonly RoutingRule[], { market, method }: Payment) {
  const fitting = rules.find(
    ({ markets, methods }) =>
      (markets?.includes(market) ?? true) && (methods?.includes(method) ?? true),
  );
  return fitting?.gateways ?? builtIn;
}

/**
 * The gateways of a payment, the first one first. An account keeps its position on the scale, so a change of
 * weights moves only the accounts between the old boundary and the new one.
 * @param account null for the most likely route, which a page shows before the payer is known
 */
export function routeOf(
  rules: readonly RoutingRule[],
  payment: Payment,
  account: string | null,
): GatewayName[] {
  const gateways = gatewaysFor(rules, payment);
  const arms = gateways.map(({ name: key, weight }) => ({ key, weight, flow: '' }));
  const likely = gateways.toSorted((a, b) => b.weight - a.weight)[0]?.name;
  const assigned = account === null ? likely : pickVariant(arms, bucketOf('routing', account))?.key;
  const names = gateways.map(({ name }) => name);
  return names.toSorted((a, b) => Number(b === assigned) - Number(a === assigned));
}
