import { decimal, minorPerUnit } from '../../../../locales/format/currency.ts';
import { soldVersion } from '../../../catalog/rules/catalog.ts';
import { currencies } from '../../../catalog/rules/currencies.ts';
import { isOneOf, typedKeys } from '../../../platform/keys.ts';

export type Amounts = Readonly<Record<string, string>>;

/** The fields of a version. A currency that they lack stays as it is. */
interface VersionForm {
  prices: Amounts;
  introDays: string;
  intro: Amounts;
}

export interface ProductForm extends VersionForm {
  id: string;
  label: string;
  slot: string;
  depends: string;
  period: string;
  grace: string;
  /** The country that a changed price is for; empty for everyone. */
  only: string;
}

export interface GridForm {
  currencies: readonly string[];
  products: Readonly<Record<string, Pick<VersionForm, 'prices' | 'intro'>>>;
}

type WrittenAmounts = Record<string, unknown>;

interface WrittenIntro {
  days: unknown;
  prices?: WrittenAmounts;
  free?: true;
}

interface WrittenVersion {
  prices: WrittenAmounts;
  intro?: WrittenIntro;
  reference?: unknown;
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

const documentIn = (catalog: string) => JSON.parse(catalog) as WrittenCatalog;
const textOf = (document: WrittenCatalog) => JSON.stringify(document, null, 2);
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const amountText = (amount: unknown, currency: string): string =>
  typeof amount === 'number'
    ? decimal(Math.round(amount * minorPerUnit(currency)), currency)
    : String(amount);

const typed = (amounts: WrittenAmounts): Amounts =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [currency, amountText(amount, currency)]),
  );

/** What is no number stays as typed, so that the check names it; so does 1,500, which is two numbers. */
const numberIn = (text: string): number | string =>
  /^\d+([.,]\d+)?$/.test(text) && !/,\d{3}$/.test(text) ? Number(text.replace(',', '.')) : text;

function merged(before: WrittenAmounts, amounts: Amounts): WrittenAmounts {
  const all = { ...before };
  for (const [currency, text] of Object.entries(amounts)) {
    if (text === '') delete all[currency];
    else all[currency] = numberIn(text);
  }
  return all;
}

const isKept = (before: WrittenAmounts = {}, after: WrittenAmounts = {}) =>
  Object.entries(before).every(([currency, amount]) => after[currency] === amount);

/** Without amounts it is free. */
function introOf(
  before: WrittenIntro | undefined,
  introDays: string,
  amounts: Amounts,
): WrittenIntro {
  const prices = merged(before?.prices ?? {}, amounts);
  const days = numberIn(introDays);
  return Object.keys(prices).length === 0 ? { days, free: true } : { days, prices };
}

function versionOf(before: WrittenVersion, { prices, introDays, intro }: VersionForm) {
  const { intro: own, ...kept } = before;
  return {
    ...kept,
    prices: merged(before.prices, prices),
    ...(introDays !== '' && { intro: introOf(own, introDays, intro) }),
  };
}

/** A price that was sold stays: another one is a new version, which is sold from then on. */
function withVersion(product: WrittenProduct, form: VersionForm, only = ''): WrittenProduct {
  const sold = soldVersion(product);
  const before = product.versions[sold] ?? { prices: {} };
  const { reference, ...after } = versionOf(before, form);
  if (isSame([after.prices, after.intro], [before.prices, before.intro])) return product;
  const isAdded =
    isKept(before.prices, after.prices) &&
    before.intro?.days === after.intro?.days &&
    before.intro?.free === after.intro?.free &&
    isKept(before.intro?.prices, after.intro?.prices);
  if (isAdded) {
    const version = { ...after, ...(reference !== undefined && { reference }) };
    return { ...product, versions: { ...product.versions, [sold]: version } };
  }
  const next = Math.max(...Object.keys(product.versions).map(Number)) + 1;
  const versions = { ...product.versions, [next]: after };
  return only
    ? { ...withSale(product, only, next), sells: Number(sold), versions }
    : { ...product, ...(product.sells !== undefined && { sells: next }), versions };
}

const withSale = (product: WrittenProduct, country: string, version: number): WrittenProduct =>
  country
    ? { ...product, countries: { ...product.countries, [country]: version } }
    : { ...product, sells: version };

function versionFormOf(product: WrittenProduct): VersionForm {
  const { prices, intro } = product.versions[soldVersion(product)] ?? { prices: {} };
  const introDays = intro === undefined ? '' : String(intro.days);
  return { prices: typed(prices), introDays, intro: typed(intro?.prices ?? {}) };
}

/** The currencies that people pay in. @param usual those of a catalog that names none */
export const currenciesIn = (catalog: string): string[] =>
  documentIn(catalog).currencies ?? ['USD', 'EUR'];

export function productFormOf(catalog: string, id: string): ProductForm | null {
  const { products } = documentIn(catalog);
  const product = Object.hasOwn(products, id) ? products[id] : undefined;
  if (!product) return null;
  const { label, slot, depends_on: depends = '', period, grace_days } = product;
  const version = versionFormOf(product);
  return { id, label, slot, depends, period, grace: String(grace_days), only: '', ...version };
}

export const emptyProduct: ProductForm = {
  ...{ id: '', label: '', slot: 'main', depends: '', period: 'month', grace: '7' },
  ...{ only: '', prices: {}, introDays: '', intro: {} },
};

function amountsIn(fields: URLSearchParams, prefix: string): Amounts {
  const own = [...fields].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, text]) => [name.slice(prefix.length), text.trim()]));
}

export function productIn(fields: URLSearchParams): ProductForm {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  return {
    ...{ id: text('id'), label: text('label'), slot: text('slot'), depends: text('depends') },
    ...{ period: text('period'), grace: text('grace'), introDays: text('introDays') },
    only: text('only').toUpperCase(),
    prices: amountsIn(fields, 'prices.'),
    intro: amountsIn(fields, 'intro.'),
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
  if (isSame(before, product)) return { catalog, id };
  return { catalog: textOf({ ...document, products: { ...products, [id]: product } }), id };
}

/** @param version what is sold from then on @param country where; empty for everywhere without a version of its own */
export function withSoldVersion(
  catalog: string,
  { id, version, country }: Record<'id' | 'version' | 'country', string>,
): string {
  const document = documentIn(catalog);
  const product = Object.hasOwn(document.products, id) ? document.products[id] : undefined;
  if (!product) return catalog;
  const sold = withSale(product, country, Number(version));
  return textOf({ ...document, products: { ...document.products, [id]: sold } });
}

export function gridOf(catalog: string): GridForm {
  const { products } = documentIn(catalog);
  const rows = Object.entries(products).map(([id, product]) => {
    const { prices, intro } = versionFormOf(product);
    return [id, { prices, intro }] as const;
  });
  return { currencies: currenciesIn(catalog), products: Object.fromEntries(rows) };
}

const isCurrency = isOneOf(currencies);

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
      const { introDays } = versionFormOf(product);
      const own = form.products[id];
      return [id, own ? withVersion(product, { introDays, ...own }) : product];
    }),
  );
  const before = currenciesIn(catalog);
  const kept = before.filter((currency) => form.currencies.includes(currency));
  const offered = [...kept, ...form.currencies.filter((currency) => !before.includes(currency))];
  const next = {
    ...document,
    ...(isSame(before, offered) ? {} : { currencies: offered }),
    products,
  };
  return isSame(next, document) ? catalog : textOf(next);
}

/** Errors by field: `prices.USD`, `intro.days`, whatever the version. */
export const byField = (problems: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    typedKeys(problems).map((path) => [path.replace(/versions\.\d+\.?/, ''), problems[path] ?? '']),
  );
