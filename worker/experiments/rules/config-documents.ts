import type { BankMethod } from '../../catalog/rules/bank-methods.ts';
import type { CancelOffer, CancelReason } from '../../catalog/rules/cancel-offers.ts';
import type { Coupon } from '../../catalog/rules/coupons.ts';
import { type Market, marketIds, type Shortcuts } from '../../catalog/rules/markets.ts';
import type { PlanFamily } from '../../catalog/rules/plans.ts';
import type { StripeWallet } from '../../catalog/rules/stripe-wallets.ts';
import { type DocumentKey, validateDocuments } from './config-validation.ts';
import { allFlows, builtInFlows, type Flow, type ScreenId } from './flows.ts';
import type { RoutingRule } from './routing.ts';
import { typeOf, type Variant } from './split.ts';

export interface Offer {
  plans: PlanFamily[];
  /** The main plans shown after the offer has expired; empty if it does not expire. */
  after: PlanFamily[];
  /** The plan selected at first, in place of the one with the lowest price per day. */
  preselect?: PlanFamily | undefined;
  upsell: PlanFamily;
  guide: PlanFamily;
  /** The offer before a cancellation, where it differs from the built-in one. */
  cancel?: { [Reason in CancelReason]?: CancelOffer | undefined } | undefined;
}

export interface Configuration {
  experiment: string;
  variants: Variant[];
  offers: Map<string, Offer>;
  flows: Map<string, Flow>;
  aliases: Map<string, ScreenId>;
  coupons: Map<string, Coupon>;
  shortcuts: Map<Market['id'], Shortcuts>;
  routing: RoutingRule[];
  bankMethods: BankMethod[];
  stripeWallets: StripeWallet[];
  version: string;
}

export class InvalidDocument extends Error {
  readonly key: DocumentKey;
  constructor(key: DocumentKey, reason: string) {
    super(reason);
    this.key = key;
  }
}

export function readDocuments(
  config: string | null,
  flows: string | null,
  production = false,
): Configuration {
  const { pair, problems } = validateDocuments(config, flows, true, production);
  if (!pair) {
    const [{ key, path, reason }] = problems;
    throw new InvalidDocument(key, path ? `${path}: ${reason}` : reason);
  }
  const { experiment, variants, offers, coupons, markets, routing } = pair.config;
  const { bank_methods: bankMethods, stripe_wallets: stripeWallets } = pair.config;
  return {
    experiment,
    variants,
    offers: new Map(Object.entries(offers)),
    flows: allFlows(pair.flows, production),
    aliases: new Map(Object.entries(pair.flows.aliases)),
    coupons: new Map(Object.entries(coupons)),
    shortcuts: new Map(
      marketIds.flatMap((id) => {
        const own = markets[id]?.shortcuts;
        return own ? [[id, own] as const] : [];
      }),
    ),
    routing,
    bankMethods,
    stripeWallets,
    version: versionOf(config, flows),
  };
}

/** FNV-1a of both texts: a fast cache key, not a security hash. */
export function versionOf(config: string | null, flows: string | null): string {
  const text = `${config}${flows}`;
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  }
  return String(hash >>> 0);
}

/** Without coupons, offers and arms of weight 0. */
export function publicConfig(
  configuration: Pick<Configuration, 'experiment' | 'variants' | 'flows' | 'aliases'>,
): Record<DocumentKey, string> {
  const { experiment, flows, aliases } = configuration;
  const variants = configuration.variants
    .filter(({ weight }) => weight > 0)
    .map(({ key, weight, flow }) => ({ key, weight, flow }));
  return {
    'config.json': JSON.stringify({ experiment, variants }),
    'flows.json': JSON.stringify({
      flows: Object.fromEntries(flows),
      aliases: Object.fromEntries(aliases),
    }),
  };
}

const builtInOffer: Offer = {
  plans: ['monthly', 'quarterly'],
  after: [],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
};

export function offerOf(configuration: Configuration, arm: string): Offer {
  const { offers } = configuration;
  return offers.get(arm) ?? offers.get(typeOf(arm)) ?? builtInOffer;
}

/** Serve until a marketer publishes documents. */
export const builtInDocuments: Record<DocumentKey, string> = {
  'config.json': JSON.stringify(
    {
      experiment: 'built-in',
      variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
      offers: { fullPrice: builtInOffer },
      coupons: {},
    },
    null,
    2,
  ),
  'flows.json': JSON.stringify({ flows: builtInFlows, aliases: {} }, null, 2),
};
