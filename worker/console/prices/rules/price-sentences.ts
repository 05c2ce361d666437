import { money } from '../../../../locales/format/money.ts';
import { Catalog, soldVersion } from '../../../catalog/rules/catalog.ts';
import type { CatalogDocument, Product, Version } from '../../../catalog/rules/catalog-document.ts';
import { type Currency, countriesOf } from '../../../catalog/rules/currencies.ts';
import { marketOf } from '../../../catalog/rules/markets.ts';
import type { Period } from '../../../catalog/rules/plans.ts';
import type { ConfigSet } from '../../../experiments/rules/config-schema.ts';
import { typeOf } from '../../../experiments/rules/split.ts';
import { typedKeys } from '../../../platform/keys.ts';
import { couponTerms } from '../../documents/rules/coupon-form.ts';
import { countryName, currencyName } from '../../parts/rules/names.ts';
import { shownAtFirst } from './plan-sale.ts';

const most = 12;

/** Such as `A, B and C`. */
export function listed(all: readonly string[]): string {
  const more = all.length - most;
  const shown = [...all.slice(0, most), ...(more > 0 ? [`${more} more`] : [])];
  return new Intl.ListFormat('en-GB').format(shown);
}

const cycles: Record<Period, string> = {
  week: ' a week',
  month: ' a month',
  quarter: ' every 3 months',
  half_year: ' every 6 months',
  year: ' a year',
  once: ' once',
};

/** Such as `$6.99 for 7 days, then $39.99`. */
export function costIn({ prices, intro }: Version, currency: Currency): string {
  const price = money(prices[currency] ?? 0, currency, 'en');
  if (!intro) return price;
  const { days, prices: paid } = intro;
  return `${paid ? money(paid[currency] ?? 0, currency, 'en') : 'Free'} for ${days} days, then ${price}`;
}

const amountsIn = (prices: Version['prices'], all: readonly Currency[]): string =>
  listed(all.map((currency) => money(prices[currency] ?? 0, currency, 'en')));

/** Such as `get 7 days free, then pay $99.00 and €94.99 a year`. */
function termsIn({ prices, intro }: Version, period: Period, all: readonly Currency[]): string {
  const price = amountsIn(prices, all) + cycles[period];
  if (!intro) return `pay ${price}`;
  const { days, prices: paid } = intro;
  return paid
    ? `pay ${amountsIn(paid, all)} for ${days} days, then ${price}`
    : `get ${days} days free, then pay ${price}`;
}

const none: Version = { prices: {} };
const soldOf = (product: Product, country = ''): Version =>
  product.versions[soldVersion(product, country)] ?? none;

/** Where a country gets another version than before, or one of its own. */
function countrySentences(name: string, product: Product, old: Product | undefined): string[] {
  const countries = Object.keys({ ...old?.countries, ...product.countries }).sort();
  return countries.flatMap((country) => {
    const before = old?.countries?.[country];
    if (before === product.countries?.[country]) return [];
    const sold = soldOf(product, country);
    const { currency } = marketOf(country, typedKeys(sold.prices));
    const terms = termsIn(sold, product.period, [currency]);
    return [`${name} in ${countryName(country)}: new buyers ${terms}.`];
  });
}

function currencySentences(before: CatalogDocument, after: CatalogDocument): string[] {
  const [old, now] = [before.currencies, after.currencies];
  const named = (currency: Currency) =>
    `${currencyName(currency)}: buyers in ${listed(countriesOf(currency).map(countryName))} pay`;
  return [
    ...now
      .filter((one) => !old.includes(one))
      .map((one) => `New currency, ${named(one)} in it for every plan, no longer in dollars.`),
    ...old
      .filter((one) => !now.includes(one))
      .map((one) => `No longer offered, ${named(one)} in dollars. Subscribers keep it.`),
  ];
}

/** What changes for buyers, one sentence each; subscribers keep what they bought. */
export function priceSentences(before: CatalogDocument, after: CatalogDocument): string[] {
  const plans = Object.entries(after.products).flatMap(([id, product]) => {
    const old = before.products[id];
    const [was, now] = [old ? soldOf(old) : none, soldOf(product)];
    const name = `“${product.label}”`;
    const terms = (all: readonly Currency[]) => termsIn(now, product.period, all);
    const all = typedKeys(now.prices);
    const own = countrySentences(name, product, old);
    if (!old) return [`${name} is new. Buyers ${terms(all)}.`, ...own];
    const changed = all.filter(
      (currency) =>
        was.prices[currency] !== undefined && costIn(was, currency) !== costIn(now, currency),
    );
    const added = all.filter((currency) => was.prices[currency] === undefined);
    const cost = amountsIn(was.prices, changed) + cycles[product.period];
    const isAlone = after.currencies.some(
      (one) => was.prices[one] !== undefined && !changed.includes(one),
    );
    const others = isAlone ? ' No other price changes.' : '';
    return [
      ...(changed.length > 0
        ? [`${name}: subscribers keep ${cost}. New buyers ${terms(changed)}.${others}`]
        : []),
      ...(added.length > 0
        ? [`${name} is also sold in ${listed(added)}: buyers ${terms(added)}.`]
        : []),
      ...own,
    ];
  });
  return [...currencySentences(before, after), ...plans];
}

export const couponSentences = ({ config: before }: ConfigSet, after: ConfigSet): string[] =>
  Object.entries(after.config.coupons).flatMap(([code, coupon]) =>
    JSON.stringify(coupon) === JSON.stringify(before.coupons[code])
      ? []
      : [`${couponTerms(coupon, (id) => after.catalog.products[id]?.label ?? id, code)}.`],
  );

/** The plan that a page of the offer marks “Best value”; empty for none. */
function markedIn({ config: { offers }, catalog }: ConfigSet, key: string): string {
  const { plans = [], preselect = '', best_value: bestValue = '' } = offers[key] ?? {};
  return shownAtFirst({ plans, preselect, bestValue }, new Catalog(catalog)).marked;
}

/** What visitors choose between, where it changes. */
export function offerSentences(before: ConfigSet, after: ConfigSet): string[] {
  const { catalog, config } = after;
  const { variants, offers } = config;
  const nameOf = (reference: string) => {
    const [id = '', version] = reference.split('@');
    const label = catalog.products[id]?.label ?? id;
    return `“${label}”${version ? `, version ${version}` : ''}`;
  };
  return Object.entries(offers).flatMap(([key, offer]) => {
    const isSame = JSON.stringify(offer) === JSON.stringify(before.config.offers[key]);
    const marked = markedIn(after, key);
    if (isSame && marked === markedIn(before, key)) return [];
    const own = variants.filter(
      (one) => one.key === key || (!offers[one.key] && typeOf(one.key) === key),
    );
    if (own.length === 0) return [];
    const who =
      own.length === variants.length
        ? 'All visitors'
        : `Visitors of ${listed(own.map((one) => one.key))}`;
    const { plans, preselect } = offer;
    return [
      [
        `${who} choose between ${listed(plans.map(nameOf))}.`,
        `Selected at first: ${preselect ? nameOf(preselect) : 'the lowest price per day'}.`,
        `Marked “Best value”: ${marked ? nameOf(marked) : 'none'}.`,
      ].join(' '),
    ];
  });
}
