import type * as v from 'valibot';
import builtInCatalog from '../../catalog/rules/built-in-catalog.json' with { type: 'json' };
import { Catalog, productOf } from '../../catalog/rules/catalog.ts';
import type { CatalogDocument } from '../../catalog/rules/catalog-document.ts';
import { type Currency, isChargeable } from '../../catalog/rules/currencies.ts';
import { billedPeriods } from '../../catalog/rules/gateway-names.ts';
import { marketOf } from '../../catalog/rules/markets.ts';
import { daysOfPeriod, type PlanFamily, type Slot } from '../../catalog/rules/plans.ts';
import { typedKeys } from '../../platform/keys.ts';
import { type ConfigSet, type offerSchema, type Problem, schemas } from './config-schema.ts';
import { allFlows, builtInFlows, isTestScreen, testFlows } from './flows.ts';

interface DocumentKind {
  schema: v.GenericSchema;
  builtIn: string;
  /** Whether documents without it are refused; otherwise the built-in one completes them. */
  isRequired: boolean;
  between: (set: ConfigSet, production: boolean) => Problem[];
}

function missingFlows({ config, flows }: ConfigSet, production: boolean): Problem[] {
  const all = allFlows(flows, production);
  return config.variants.flatMap(({ flow }, index) =>
    all.has(flow)
      ? []
      : [{ key: 'config.json', path: `variants.${index}.flow`, reason: `no flow ${flow}` }],
  );
}

/** Offers and coupons may name only what the catalog sells, in its slot, and a list each version once wherever it is sold. */
function missingPlans({ config, catalog }: ConfigSet): Problem[] {
  const { products } = catalog;
  const all = new Catalog(catalog);
  const isSame = (one: string, other: string) =>
    productOf(one) === productOf(other) &&
    ['', ...all.countries].some((code) => all.resolve(one, code) === all.resolve(other, code));
  const problem = (
    path: string,
    reference: string,
    slot?: Slot,
    before: readonly string[] = [],
  ): Problem[] => {
    const key = 'config.json';
    const family = all.resolve(reference);
    if (family !== undefined && (slot === undefined || all.slotOf(family) === slot)) {
      const isAgain = before.some((other) => isSame(other, reference));
      return isAgain ? [{ key, path, reason: 'names a plan twice' }] : [];
    }
    const choices = Object.keys(products).filter((id) => !slot || products[id]?.slot === slot);
    return [{ key, path, reason: `not one of ${choices.join(', ')}` }];
  };
  const offers = Object.entries(config.offers).flatMap(([key, offer]) => [
    ...(['plans', 'after'] as const).flatMap((field) =>
      offer[field].flatMap((one, at, plans) =>
        problem(`offers.${key}.${field}.${at}`, one, 'main', plans.slice(0, at)),
      ),
    ),
    ...(offer.preselect ? problem(`offers.${key}.preselect`, offer.preselect, 'main') : []),
    ...problem(`offers.${key}.upsell`, offer.upsell, 'upsell'),
    ...problem(`offers.${key}.guide`, offer.guide, 'guide'),
  ]);
  const coupons = Object.entries(config.coupons).flatMap(([code, { plans = [] }]) =>
    plans.flatMap((one, at) => problem(`coupons.${code}.plans.${at}`, one)),
  );
  return [...offers, ...coupons];
}

interface Needed {
  family: PlanFamily;
  currency: Currency;
  why: string;
}

/** A version needs a price where it is sold: in every currency, or in that of the countries that have it. */
function neededPrices(
  { config, catalog: { currencies, products } }: ConfigSet,
  all: Catalog,
): Needed[] {
  const named = Object.values(config.offers).flatMap(({ plans, after, upsell, guide, preselect }) =>
    [...plans, ...after, upsell, guide, preselect ?? ''].flatMap((one) => all.resolve(one) ?? []),
  );
  const everywhere = [...new Set([...all.families, ...named])].flatMap((family) =>
    currencies.map((currency) => ({ family, currency, why: `visitors pay in ${currency}` })),
  );
  const inCountries = Object.entries(products).flatMap(([id, { countries = {} }]) =>
    Object.entries(countries).flatMap(([country, version]) => {
      const family = all.resolve(`${id}@${version}`);
      const { currency } = marketOf(country, currencies);
      return family ? [{ family, currency, why: `${country} pays in ${currency}` }] : [];
    }),
  );
  return [...everywhere, ...inCountries];
}

/** A payment that a rule routes needs a gateway that renews whatever is offered. */
function unbilledPlans({ config, catalog }: ConfigSet): Problem[] {
  const all = new Catalog(catalog);
  const sold = Object.entries(config.offers).flatMap(([key, { plans, after, upsell, guide }]) =>
    [...plans, ...after, upsell, guide].map((id) => ({
      key,
      id,
      period: all.shapeOf(id)?.period ?? 'once',
    })),
  );
  return config.routing.flatMap(({ gateways }, at) => {
    const names = gateways.map(({ name }) => name);
    const unbilled = sold.find(
      ({ period }) => !names.some((name) => billedPeriods[name].includes(period)),
    );
    if (!unbilled) return [];
    const { key, id, period } = unbilled;
    const reason = `${names} renews no ${period}, and offers.${key} sells ${id}`;
    return [{ key: 'config.json' as const, path: `routing.${at}.gateways`, reason }];
  });
}

function versionProblems(needed: readonly Needed[], { products }: CatalogDocument): Problem[] {
  const family = needed[0]?.family ?? '';
  const [id = '', version = '1'] = family.split('@');
  const product = products[id];
  const { prices, intro } = product?.versions[version] ?? { prices: {} };
  const path = `products.${id}.versions.${version}`;
  const problem = (field: string, reason: string): Problem => ({
    key: 'catalog.json',
    path: `${path}.${field}`,
    reason,
  });
  const percent = product?.coupon?.percent;
  const tables = { prices, ...(intro?.prices && { 'intro.prices': intro.prices }) };
  return [
    ...Object.entries(tables).flatMap(([field, amounts]) => [
      ...needed
        .filter(({ currency }) => amounts[currency] === undefined)
        .map(({ currency, why }) => problem(`${field}.${currency}`, `missing; ${why}`)),
      ...typedKeys(amounts)
        .filter((currency) => {
          const off = Math.round(((amounts[currency] ?? 0) * (percent ?? 0)) / 100);
          return percent !== undefined && !isChargeable(off, currency);
        })
        .map((currency) =>
          problem(
            `${field}.${currency}`,
            `its coupon of ${percent}% leaves an amount that cannot be charged`,
          ),
        ),
    ]),
    ...(product && intro && intro.days >= daysOfPeriod[product.period]
      ? [problem('intro.days', 'an intro is shorter than the period')]
      : []),
    ...(intro?.free && (product?.slot !== 'main' || product.coupon)
      ? [problem('intro.free', 'only a main plan without a coupon begins free')]
      : []),
    ...(product && product.period !== 'once' && product.grace_days > daysOfPeriod[product.period]
      ? [{ ...problem('', 'longer than the period'), path: `products.${id}.grace_days` }]
      : []),
  ];
}

function missingPrices(set: ConfigSet): Problem[] {
  const needed = Map.groupBy(neededPrices(set, new Catalog(set.catalog)), ({ family }) => family);
  const { products } = set.catalog;
  const { plans, upsell, guide } = builtInOffer;
  const gone = [...plans, upsell, guide].filter((id) => !Object.hasOwn(products, id));
  return [
    ...[...needed.values()].flatMap((each) => versionProblems(each, set.catalog)),
    ...gone.map((id) => ({
      key: 'catalog.json' as const,
      path: `products.${id}`,
      reason: 'missing; the built-in offer sells it',
    })),
  ];
}

function testScreens({ flows: { flows, aliases } }: ConfigSet, production: boolean): Problem[] {
  const reason = 'is for tests, and production refuses it';
  const problem = (path: string): Problem => ({ key: 'flows.json', path, reason });
  if (!production) return [];
  return [
    ...Object.entries(flows).flatMap(([name, screens]) =>
      name in testFlows || screens.some(isTestScreen) ? [problem(`flows.${name}`)] : [],
    ),
    ...Object.entries(aliases).flatMap(([alias, target]) =>
      isTestScreen(target) ? [problem(`aliases.${alias}`)] : [],
    ),
  ];
}

export const builtInOffer: v.InferOutput<typeof offerSchema> = {
  plans: ['monthly', 'quarterly'],
  after: [],
  upsell: 'upsell_monthly_999',
  guide: 'guide_1799',
};

/** Every document that is published with `npm run config`: its file is `<name>.json`. */
export const kinds: { [Name in keyof ConfigSet]: DocumentKind } = {
  config: {
    schema: schemas.config,
    builtIn: JSON.stringify(
      {
        experiment: 'built-in',
        variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
        offers: { fullPrice: builtInOffer },
        coupons: {},
      },
      null,
      2,
    ),
    isRequired: true,
    between: (set, production) => [
      ...missingFlows(set, production),
      ...missingPlans(set),
      ...unbilledPlans(set),
    ],
  },
  flows: {
    schema: schemas.flows,
    builtIn: JSON.stringify({ flows: builtInFlows, aliases: {} }, null, 2),
    isRequired: true,
    between: testScreens,
  },
  catalog: {
    schema: schemas.catalog,
    builtIn: JSON.stringify(builtInCatalog, null, 2),
    isRequired: false,
    between: missingPrices,
  },
  experiments: {
    schema: schemas.experiments,
    builtIn: JSON.stringify({ experiments: [] }, null, 2),
    isRequired: false,
    // `experiment-checks.ts`, which an isolate loads only if there are experiments.
    between: () => [],
  },
};
