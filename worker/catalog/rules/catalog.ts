import * as v from 'valibot';
import { typedKeys } from '../../platform/keys.ts';
import { type Minor, minor } from '../../platform/types.ts';
import builtInDocument from './built-in-catalog.json' with { type: 'json' };
import { type CatalogDocument, catalogSchema, type Product } from './catalog-document.ts';
import { type Currency, isCurrency, multipleOf, smallestCharge, symbolOf } from './currencies.ts';
import { lateYes } from './late-yes.ts';
import {
  durationOf,
  type Plan,
  type PlanFamily,
  type PlanId,
  type Slot,
  wordsFor,
} from './plans.ts';

export const familyOf = (product: string, version: string): PlanFamily =>
  version === '1' ? product : `${product}@${version}`;

/** The product of a version: `monthly` of `monthly@4`. */
export const productOf = (family: PlanFamily): string => family.split('@', 1)[0] ?? family;

interface Sold {
  sells?: number | undefined;
  countries?: Product['countries'];
  versions: Readonly<Record<string, unknown>>;
}

export const soldVersion = ({ sells, countries, versions }: Sold, country = ''): string =>
  String(countries?.[country] ?? sells ?? Math.max(...Object.keys(versions).map(Number)));

function leastOf(today: Minor, currency: Currency, dollars: Minor | undefined): Minor {
  const share = dollars ? (today * smallestCharge('USD')) / dollars : 0;
  const multiple = multipleOf(currency);
  return minor(Math.max(smallestCharge(currency), Math.ceil(share / multiple) * multiple));
}

function plansOf(product: string, version: string, entry: Product): Plan[] {
  const { slot, period, coupon, label, depends_on, grace_days, name, description } = entry;
  const { prices, intro, reference } = entry.versions[version] ?? { prices: {} };
  const shape = { slot, period, introDays: intro?.days ?? 0 };
  const family = familyOf(product, version);
  return typedKeys(prices).flatMap((currency) => {
    const first = intro?.free ? { [currency]: minor(0) } : (intro?.prices ?? prices);
    const [price, today] = [prices[currency], first[currency]];
    if (price === undefined || today === undefined) return [];
    const list = reference?.[currency];
    return {
      ...shape,
      ...wordsFor({ ...shape, isFree: intro?.free === true }),
      id: `${family}_${currency.toLowerCase()}`,
      ...{ product, family, currency, price, today },
      least: leastOf(today, currency, (intro?.prices ?? prices).USD),
      dependsOn: depends_on ?? null,
      productId: label,
      ...((name ?? description) && { texts: { name, description } }),
      graceDays: grace_days,
      currencySymbol: symbolOf(currency),
      duration: durationOf(shape),
      ...(list !== undefined && { list }),
      ...(coupon && { coupon }),
    };
  });
}

export class Catalog {
  readonly #plans = new Map<PlanId, Plan>();
  readonly #products: CatalogDocument['products'];
  /** In which countries pay; a plan may have prices in others, for subscribers who keep them. */
  readonly currencies: readonly Currency[];
  /** Those that have versions of their own, and the one whose versions have no free trial. */
  readonly countries: ReadonlySet<string>;
  /** The one of them for which this catalog is; empty for all others. */
  readonly country: string;

  constructor({ currencies, products: all }: CatalogDocument, country = '') {
    // The only field of this name is that of an intro which is a trial.
    const products: typeof all =
      country === lateYes
        ? JSON.parse(JSON.stringify(all), (_, value) => (value?.free ? undefined : value))
        : all;
    this.#products = products;
    this.currencies = currencies;
    this.countries = new Set([
      lateYes,
      ...Object.values(all).flatMap((product) => Object.keys(product.countries ?? {})),
    ]);
    this.country = country;
    for (const [product, entry] of Object.entries(products)) {
      for (const version of Object.keys(entry.versions)) {
        for (const plan of plansOf(product, version, entry)) this.#plans.set(plan.id, plan);
      }
    }
  }

  planById(id: PlanId): Plan | undefined {
    return this.#plans.get(id);
  }

  /** In every version and currency. */
  plansOfProduct(product: string): Plan[] {
    return [...this.#plans.values()].filter((plan) => plan.product === product);
  }

  /** @throws RangeError for a version that does not exist or has no price in the currency */
  planOf(family: PlanFamily, currency: Currency): Plan {
    const plan = this.#plans.get(`${family}_${currency.toLowerCase()}`);
    if (!plan) throw new RangeError(`no plan ${family} in ${currency}`);
    return plan;
  }

  /** The version that an offer means: of `monthly` the one that is sold, of `monthly@2` that one. */
  resolve(reference: string, country = this.country): PlanFamily | undefined {
    const [product = '', version] = reference.split('@');
    const entry = Object.hasOwn(this.#products, product) ? this.#products[product] : undefined;
    if (!entry) return undefined;
    const wanted = version ?? soldVersion(entry, country);
    return Object.hasOwn(entry.versions, wanted) ? familyOf(product, wanted) : undefined;
  }

  slotOf(family: PlanFamily): Slot | undefined {
    return this.shapeOf(family)?.slot;
  }

  shapeOf(family: PlanFamily): Pick<Product, 'slot' | 'period'> | undefined {
    return this.#products[productOf(family)];
  }

  introDaysOf(family: PlanFamily): number {
    const [product = '', version = '1'] = family.split('@');
    return this.#products[product]?.versions[version]?.intro?.days ?? 0;
  }

  beginsFree(family: PlanFamily): boolean {
    const [product = '', version = '1'] = family.split('@');
    return this.#products[product]?.versions[version]?.intro?.free ?? false;
  }

  /** The version that is sold of the product that continues an intro: the same slot and period, without an intro. */
  fullPriceOf(family: PlanFamily): PlanFamily | undefined {
    const { slot, period } = this.#products[productOf(family)] ?? {};
    return this.families.find((other) => {
      const product = this.#products[productOf(other)];
      return product?.slot === slot && product?.period === period && !this.introDaysOf(other);
    });
  }

  familiesIn(slot: Slot): PlanFamily[] {
    return this.families.filter((family) => this.slotOf(family) === slot);
  }

  get families(): PlanFamily[] {
    return Object.entries(this.#products).map(([product, entry]) =>
      familyOf(product, soldVersion(entry, this.country)),
    );
  }

  get plans(): Plan[] {
    const own = Object.entries(this.#products).flatMap(([product, { countries = {} }]) =>
      Object.values(countries).map((version) => familyOf(product, String(version))),
    );
    return this.#priced([...new Set([...this.families, ...own])], this.currencies);
  }

  plansIn(offered: readonly Currency[]): Plan[] {
    return this.#priced(this.families, offered);
  }

  #priced(families: readonly PlanFamily[], currencies: readonly Currency[]): Plan[] {
    return families.flatMap((family) =>
      currencies.flatMap((currency) => this.planById(`${family}_${currency.toLowerCase()}`) ?? []),
    );
  }

  sells(families: readonly PlanFamily[], currency: Currency): boolean {
    return families.every((family) => this.planById(`${family}_${currency.toLowerCase()}`));
  }

  /** The monthly plan with which longer ones are compared. */
  monthlyIn(currency: Currency): Plan | undefined {
    return this.plansIn([currency]).find(
      ({ slot, period, introDays }) => slot === 'main' && period === 'month' && introDays === 0,
    );
  }
}

/** Of `monthly_usd`; undefined for a text that is no plan id. */
export function currencyOfPlan(id: PlanId): Currency | undefined {
  const currency = id.slice(id.lastIndexOf('_') + 1).toUpperCase();
  return isCurrency(currency) ? currency : undefined;
}

export const builtInCatalog = new Catalog(v.parse(catalogSchema, builtInDocument));
