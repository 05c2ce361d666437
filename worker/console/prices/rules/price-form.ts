import { soldVersion } from '../../../catalog/rules/catalog.ts';
import { currencies } from '../../../catalog/rules/currencies.ts';
import { isOneOf, typedKeys } from '../../../platform/keys.ts';
import {
  type Amounts,
  isKept,
  merged,
  numberIn,
  typed,
  type WrittenAmounts,
} from './typed-amounts.ts';

/** The fields of a version. A currency that they lack stays as it is. */
interface VersionForm {
  prices: Amounts;
  start: Start;
  introDays: string;
  intro: Amounts;
  /** Without it a changed price has none. */
  reference?: Amounts;
}

/** What a buyer pays at first. */
export const starts = ['full', 'free', 'paid'] as const;
type Start = (typeof starts)[number];

export interface ProductForm extends VersionForm {
  id: string;
  label: string;
  slot: string;
  depends: string;
  period: string;
  grace: string;
  /** The country that the price is for; empty for everyone. */
  only: string;
  /** Currencies that are offered from then on, beside those that are: of a new product, those that it has a price in. */
  currencies: readonly string[];
}

export interface GridForm {
  currencies: readonly string[];
  products: Readonly<Record<string, Pick<VersionForm, 'prices' | 'intro'>>>;
}

interface WrittenIntro {
  days: unknown;
  prices?: WrittenAmounts;
  free?: true;
}

interface WrittenVersion {
  prices: WrittenAmounts;
  intro?: WrittenIntro;
  reference?: WrittenAmounts;
}

interface WrittenProduct {
  slot: string;
  depends_on?: string;
  label: string;
  period: string;
  grace_days: unknown;
  sells?: number;
  countries?: Record<string, number>;
  versions: Record<string, WrittenVersion>;
}

/** `catalog.json` as a person writes it. */
interface WrittenCatalog {
  currencies?: string[];
  products: Record<string, WrittenProduct>;
}

const isCurrency = isOneOf(currencies);
const documentIn = (catalog: string) => JSON.parse(catalog) as WrittenCatalog;
const textOf = (document: WrittenCatalog) => JSON.stringify(document, null, 2);
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function introOf(before: WrittenIntro | undefined, form: VersionForm): WrittenIntro {
  const days = numberIn(form.introDays);
  return form.start === 'free'
    ? { days, free: true }
    : { days, prices: merged(before?.prices ?? {}, form.intro) };
}

function versionOf(before: WrittenVersion, form: VersionForm): WrittenVersion {
  const reference = merged(before.reference ?? {}, form.reference ?? {});
  return {
    prices: merged(before.prices, form.prices),
    ...(form.start !== 'full' && { intro: introOf(before.intro, form) }),
    ...(Object.keys(reference).length > 0 && { reference }),
  };
}

/** A price that was sold stays: another one is a new version, which is sold from then on. */
function withVersion(product: WrittenProduct, form: VersionForm, only = ''): WrittenProduct {
  const sold = soldVersion(product, only);
  const before = product.versions[sold] ?? { prices: {} };
  const version = versionOf(before, form);
  if (isSame(version, versionOf(before, versionFormOf(before)))) return product;
  const isAdded =
    isKept(before.prices, version.prices) &&
    before.intro?.days === version.intro?.days &&
    before.intro?.free === version.intro?.free &&
    isKept(before.intro?.prices, version.intro?.prices);
  if (isAdded) return { ...product, versions: { ...product.versions, [sold]: version } };
  const next = Math.max(...Object.keys(product.versions).map(Number)) + 1;
  const { reference: _, ...unstruck } = version;
  const versions = { ...product.versions, [next]: form.reference ? version : unstruck };
  return only
    ? { ...withSale(product, only, next), sells: Number(soldVersion(product)), versions }
    : { ...product, ...(product.sells !== undefined && { sells: next }), versions };
}

/** @param version null for what all others get */
function withSale(product: WrittenProduct, country: string, version: number | null) {
  if (!country) return version === null ? product : { ...product, sells: version };
  const { countries, ...kept } = product;
  const { [country]: _, ...others } = countries ?? {};
  const all = version === null ? others : { ...others, [country]: version };
  return Object.keys(all).length > 0 ? { ...kept, countries: all } : kept;
}

function versionFormOf({ prices, intro, reference = {} }: WrittenVersion): VersionForm {
  return {
    prices: typed(prices),
    start: intro ? (intro.free ? 'free' : 'paid') : 'full',
    introDays: intro ? String(intro.days) : '',
    intro: typed(intro?.prices ?? {}),
    reference: typed(reference),
  };
}

const soldIn = (product: WrittenProduct, country = ''): VersionForm =>
  versionFormOf(product.versions[soldVersion(product, country)] ?? { prices: {} });

/** The currencies that people pay in. */
const offeredIn = ({ currencies: offered = ['USD', 'EUR'] }: WrittenCatalog): string[] => offered;

export const currenciesIn = (catalog: string): string[] => offeredIn(documentIn(catalog));

/** The same where nothing changes; new ones come last. */
function withCurrencies(document: WrittenCatalog, wanted: readonly string[]): WrittenCatalog {
  const before = offeredIn(document);
  const kept = before.filter((currency) => wanted.includes(currency));
  const all = [...new Set([...kept, ...wanted])];
  return isSame(before, all) ? document : { ...document, currencies: all };
}

/** @param only the country whose price is changed; empty for everyone */
export function productFormOf(catalog: string, id: string, only = ''): ProductForm | null {
  const { products } = documentIn(catalog);
  const product = Object.hasOwn(products, id) ? products[id] : undefined;
  if (!product) return null;
  const { label, slot, depends_on: depends = '', period, grace_days } = product;
  const [grace, version] = [String(grace_days), soldIn(product, only)];
  return { id, label, slot, depends, period, grace, only, currencies: [], ...version };
}

export const emptyProduct: ProductForm = {
  ...{ id: '', label: '', slot: 'main', depends: '', period: 'month', grace: '7' },
  ...{ only: '', currencies: [], prices: {}, start: 'full', introDays: '7', intro: {} },
};

function amountsIn(fields: URLSearchParams, prefix: string): Amounts {
  const own = [...fields].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, text]) => [name.slice(prefix.length), text.trim()]));
}

export function productIn(fields: URLSearchParams): ProductForm {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  const reference = amountsIn(fields, 'reference.');
  const prices = amountsIn(fields, 'prices.');
  const priced = Object.keys(prices).filter((currency) => prices[currency]);
  return {
    ...{ id: text('id'), label: text('label'), slot: text('slot'), depends: text('depends') },
    ...{ period: text('period'), grace: text('grace'), introDays: text('introDays') },
    start: starts.find((start) => start === text('start')) ?? 'full',
    only: text('only').toUpperCase(),
    currencies: text('id') ? [] : priced.filter(isCurrency),
    prices,
    intro: amountsIn(fields, 'intro.'),
    ...(Object.keys(reference).length > 0 && { reference }),
  };
}

/** `Yearly plan` is `yearly_plan`, or `yearly_plan_2` beside another one. */
export function newId(label: string, taken: readonly string[]): string {
  const plain = label
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .slice(0, 40)
    .replace(/_$/, '');
  const name = plain || 'plan';
  const names = [name, ...taken.map((_, at) => `${name}_${at + 2}`)];
  return names.find((each) => !taken.includes(each)) ?? name;
}

/** @returns `catalog.json` with the product, and its id; the same text if nothing changes */
export function withProduct(catalog: string, form: ProductForm): { catalog: string; id: string } {
  const document = documentIn(catalog);
  const { products } = document;
  const before = Object.hasOwn(products, form.id) ? products[form.id] : undefined;
  const own = { label: form.label, grace_days: numberIn(form.grace) };
  const id = before ? form.id : newId(form.label, Object.keys(products));
  const product = before
    ? withVersion({ ...before, ...own }, form, form.only)
    : {
        slot: form.slot,
        ...(form.depends && { depends_on: form.depends }),
        ...{ label: own.label, period: form.period, grace_days: own.grace_days },
        versions: { 1: versionOf({ prices: {} }, form) },
      };
  const next = {
    ...withCurrencies(document, [...offeredIn(document), ...form.currencies]),
    products: { ...products, [id]: product },
  };
  return { catalog: isSame(document, next) ? catalog : textOf(next), id };
}

/**
 * @param version what is sold from then on; empty for what all others get
 * @param country where; empty for all that have no version of their own
 */
export function withSoldVersion(
  catalog: string,
  { id, version, country }: Record<'id' | 'version' | 'country', string>,
): string {
  const document = documentIn(catalog);
  const product = Object.hasOwn(document.products, id) ? document.products[id] : undefined;
  if (!product) return catalog;
  const sold = withSale(product, country, version === '' ? null : Number(version));
  return textOf({ ...document, products: { ...document.products, [id]: sold } });
}

export function gridOf(catalog: string): GridForm {
  const { products } = documentIn(catalog);
  const rows = Object.entries(products).map(([id, product]) => {
    const { prices, intro } = soldIn(product);
    return [id, { prices, intro }] as const;
  });
  return { currencies: currenciesIn(catalog), products: Object.fromEntries(rows) };
}

/** As typed. A currency that the page did not show has the prices of the catalog. */
export function gridIn(fields: URLSearchParams, catalog: string): GridForm {
  const products: Record<
    string,
    Record<'prices' | 'intro', Record<string, string>>
  > = structuredClone(gridOf(catalog).products);
  for (const [name, text] of fields) {
    const [, table, id = '', currency = ''] =
      /^(prices|intro)\.(\w+)\.([A-Z]{3})$/.exec(name) ?? [];
    if (table !== 'prices' && table !== 'intro') continue;
    const own = Object.hasOwn(products, id) ? products[id] : undefined;
    if (own) own[table][currency] = text.trim();
  }
  return { currencies: fields.getAll('currency').filter(isCurrency), products };
}

/** `catalog.json` with these prices and currencies; the same text if nothing changes. */
export function withGrid(catalog: string, form: GridForm): string {
  const document = documentIn(catalog);
  const products = Object.fromEntries(
    Object.entries(document.products).map(([id, product]) => {
      const { reference: _, ...sold } = soldIn(product);
      const own = form.products[id];
      return [id, own ? withVersion(product, { ...sold, ...own }) : product];
    }),
  );
  const next = { ...withCurrencies(document, form.currencies), products };
  return isSame(next, document) ? catalog : textOf(next);
}

/** Errors by field: `prices.USD`, `intro.days`, whatever the version. */
export const byField = (problems: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    typedKeys(problems).map((path) => [path.replace(/versions\.\d+\.?/, ''), problems[path] ?? '']),
  );
