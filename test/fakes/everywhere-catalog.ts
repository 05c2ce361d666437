import * as v from 'valibot';
import { decimal } from '../../locales/format/currency.ts';
import document from '../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import { Catalog } from '../../worker/catalog/rules/catalog.ts';
import { catalogSchema } from '../../worker/catalog/rules/catalog-document.ts';
import { type Currency, currencies } from '../../worker/catalog/rules/currencies.ts';
import { suggestedPrice } from '../../worker/catalog/rules/suggested-price.ts';
import { type Minor, minor } from '../../worker/platform/types.ts';

/** Dollars for one unit: of no particular day, but each in its usual range. */
export const dollarRates: Record<Currency, number> = {
  ...{ USD: 1, EUR: 1.08, GBP: 1.27, CAD: 0.73, AUD: 0.66, JPY: 0.0067, BRL: 0.18, MXN: 0.055 },
  ...{ PLN: 0.25, SEK: 0.095, CHF: 1.13, AED: 0.272, BHD: 2.65, CLP: 0.00105, CNY: 0.138 },
  ...{ COP: 0.00024, CZK: 0.043, DKK: 0.145, EGP: 0.0205, HKD: 0.128, HUF: 0.0027, IDR: 0.000063 },
  ...{ ILS: 0.27, INR: 0.0119, JOD: 1.41, KRW: 0.00072, KWD: 3.25, KZT: 0.0021, MYR: 0.225 },
  ...{ NGN: 0.00065, NOK: 0.091, NZD: 0.6, PEN: 0.265, PHP: 0.0172, PKR: 0.0036, QAR: 0.275 },
  ...{ RON: 0.217, SAR: 0.267, SGD: 0.75, THB: 0.029, TRY: 0.029, TWD: 0.031, TZS: 0.00038 },
  ...{ VND: 0.00004, ZAR: 0.055 },
};

const rates = { currency: 'USD', rates: dollarRates } as const;

type Prices = Partial<Record<Currency, number>>;

const inUnits = (amount: Minor, currency: Currency) => Number(decimal(amount, currency));

/** Braintree's sandbox declines 2000 to 3000 units (`fakes/braintree/refunds.ts`), also after 30% off. */
const approvedUnits = (units: number) => (units >= 2000 && units < 4300 ? 1990 : units);

/** The dollar price in every currency, as suggested, except where the document has one. */
const everywhere = (prices: { USD: number } & Prices): Prices => ({
  ...Object.fromEntries(
    currencies.map((currency) => {
      const price = suggestedPrice(minor(Math.round(prices.USD * 100)), 'USD', currency, rates);
      return [currency, approvedUnits(inUnits(price ?? minor(0), currency))];
    }),
  ),
  ...prices,
});

interface Version {
  prices: { USD: number };
  intro?: { days: number; prices?: { USD: number }; free?: true };
  reference?: { USD: number };
}

const versionEverywhere = ({ prices, intro, reference }: Version) => ({
  prices: everywhere(prices),
  ...(intro && {
    intro: { ...intro, ...(intro.prices && { prices: everywhere(intro.prices) }) },
  }),
  ...(reference && { reference: everywhere(reference) }),
});

const further = (label: string, period: 'week' | 'half_year' | 'year', version: Version) => ({
  slot: 'main',
  label,
  period,
  grace_days: 7,
  versions: { 1: version },
});

/** The periods that no built-in product has, and a free trial. */
export const furtherProducts = {
  weekly: further('Weekly plan', 'week', { prices: { USD: 9.99 } }),
  half_yearly: further('Half-yearly plan', 'half_year', { prices: { USD: 79.99 } }),
  yearly: further('Yearly plan', 'year', { prices: { USD: 99 } }),
  yearly_14d: further('Yearly plan', 'year', {
    prices: { USD: 99 },
    intro: { days: 14, free: true },
  }),
};

/** Every built-in product and the further ones, sold in every currency. */
export const everywhereDocument = {
  currencies,
  products: Object.fromEntries(
    Object.entries({ ...document.products, ...furtherProducts }).map(([id, product]) => [
      id,
      { ...product, versions: { 1: versionEverywhere(product.versions['1'] as Version) } },
    ]),
  ),
};

export const everywhereCatalog = new Catalog(v.parse(catalogSchema, everywhereDocument));
