import type * as v from 'valibot';
import type { BankMethod } from '../../catalog/rules/bank-methods.ts';
import { Catalog } from '../../catalog/rules/catalog.ts';
import type { Coupon } from '../../catalog/rules/coupons.ts';
import { type Market, marketIds, type Shortcuts } from '../../catalog/rules/markets.ts';
import type { StripeWallet } from '../../catalog/rules/stripe-wallets.ts';
import type { Documents } from '../../documents/document-set.ts';
import type { Release, Unsold } from '../../documents/manifest.ts';
import { builtInOffer, kinds } from './config-kinds.ts';
import type { DocumentKey, offerSchema } from './config-schema.ts';
import { validateDocuments } from './config-validation.ts';
import type { Experiment, Holdout } from './experiments-schema.ts';
import { allFlows, type Flow, type ScreenId } from './flows.ts';
import type { RoutingRule } from './routing.ts';
import { typeOf, type Variant } from './split.ts';
import type { TrustLabel } from './trust-labels.ts';

export type Offer = v.InferOutput<typeof offerSchema>;

export interface Configuration {
  catalog: Catalog;
  experiment: string;
  variants: Variant[];
  offers: Map<string, Offer>;
  flows: Map<string, Flow>;
  aliases: Map<string, ScreenId>;
  coupons: Map<string, Coupon>;
  shortcuts: Map<Market['id'], Shortcuts>;
  trust: readonly TrustLabel[];
  routing: RoutingRule[];
  bankMethods: BankMethod[];
  stripeWallets: StripeWallet[];
  /** Beside the split. */
  experiments: readonly Experiment[];
  holdout?: Holdout | undefined;
  /** What a gateway could not sell when the documents were published. */
  unsold: Unsold;
  version: string;
  soldIn: (country: string) => Pick<Configuration, 'catalog' | 'offers'>;
}

export class InvalidDocument extends Error {
  readonly key: DocumentKey;
  constructor(key: DocumentKey, reason: string) {
    super(reason);
    this.key = key;
  }
}

/** @throws InvalidDocument */
export function readDocuments(documents: Documents, production = false): Configuration {
  const { set, problems } = validateDocuments(documents, { abortEarly: true, production });
  if (!set) {
    const [{ key, path, reason }] = problems;
    throw new InvalidDocument(key, path ? `${path}: ${reason}` : reason);
  }
  const { experiment, variants, offers, coupons, markets, routing, trust } = set.config;
  const { bank_methods: bankMethods, stripe_wallets: stripeWallets } = set.config;
  const soldIn = (country = '') => {
    const catalog = new Catalog(set.catalog, country);
    const resolved = Object.entries(offers).map(
      ([key, offer]) => [key, resolvedOffer(offer, catalog)] as const,
    );
    return { catalog, offers: new Map(resolved) };
  };
  const sold = soldIn();
  const own = new Map<string, typeof sold>();
  return {
    ...sold,
    soldIn(country) {
      const known =
        own.get(country) ?? (sold.catalog.countries.has(country) ? soldIn(country) : sold);
      if (known !== sold) own.set(country, known);
      return known;
    },
    experiment,
    variants,
    flows: allFlows(set.flows, production),
    aliases: new Map(Object.entries(set.flows.aliases)),
    coupons: new Map(Object.entries(coupons)),
    shortcuts: new Map(
      marketIds.flatMap((id) => {
        const own = markets[id]?.shortcuts;
        return own ? [[id, own] as const] : [];
      }),
    ),
    trust,
    routing,
    bankMethods,
    stripeWallets,
    ...set.experiments,
    unsold: {},
    version: versionOf(documents),
  };
}

/** The version keys the cached pages, which name a gateway. */
export function sold(
  configuration: Configuration,
  release: Pick<Release, 'unsold' | 'version'> | undefined,
): Configuration {
  const { unsold, version } = release ?? {};
  if (!unsold) return configuration;
  return { ...configuration, unsold, version: `${configuration.version}-${version}` };
}

/** FNV-1a of the texts: a fast cache key, not a security hash. */
export function versionOf(documents: Documents): string {
  const text = Object.keys(builtInDocuments)
    .map((key) => documents[key])
    .join('');
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  }
  return String(hash >>> 0);
}

/** Without coupons, offers and arms of weight 0. */
export function publicConfig(
  configuration: Pick<Configuration, 'experiment' | 'variants' | 'flows' | 'aliases'>,
): Record<'config.json' | 'flows.json', string> {
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

/** With the version of each plan. */
function resolvedOffer(offer: Offer, catalog: Catalog): Offer {
  const { preselect, best_value, ...sold } = offer;
  const version = (reference: string) => catalog.resolve(reference) ?? reference;
  return {
    ...sold,
    plans: offer.plans.map(version),
    after: offer.after.map(version),
    upsell: version(offer.upsell),
    guide: version(offer.guide),
    ...(preselect && { preselect: version(preselect) }),
    ...(best_value && { best_value: version(best_value) }),
  };
}

export function offerOf(
  { offers, catalog }: Pick<Configuration, 'offers' | 'catalog'>,
  arm: string,
): Offer {
  return offers.get(arm) ?? offers.get(typeOf(arm)) ?? resolvedOffer(builtInOffer, catalog);
}

/** Serve until a marketer publishes documents. */
export const builtInDocuments = Object.fromEntries(
  Object.entries(kinds).map(([name, { builtIn }]) => [`${name}.json`, builtIn]),
) as Record<DocumentKey, string>;
