import { type Minor, minor } from '../../platform/types.ts';

export const currencies = [
  ...(['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'JPY'] as const),
  ...(['BRL', 'MXN', 'PLN', 'SEK', 'CHF'] as const),
] as const;

export type Currency = (typeof currencies)[number];

export const currencySymbols: Record<Currency, string> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  CAD: 'CA$',
  AUD: 'A$',
  JPY: '¥',
  BRL: 'R$',
  MXN: 'MX$',
  PLN: 'zł',
  SEK: 'kr',
  CHF: 'CHF',
};

/** The smallest charge that Stripe takes: docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const smallest: Record<Currency, number> = {
  USD: 50,
  EUR: 50,
  GBP: 30,
  CAD: 50,
  AUD: 50,
  JPY: 50,
  BRL: 50,
  MXN: 1000,
  PLN: 200,
  SEK: 300,
  CHF: 50,
};

export const smallestCharge = (currency: Currency): Minor => minor(smallest[currency]);

/** Offered without `CURRENCIES`. */
const usual: readonly Currency[] = ['USD', 'EUR'];

export const isCurrency = (text: string | undefined): text is Currency =>
  currencies.some((currency) => currency === text);

const named = (variable: string | undefined) => variable?.split(/[\s,]+/).filter(Boolean) ?? [];

let [lastVariable, lastOffered] = ['', usual];

/** Cached, because every request needs it. @param variable `CURRENCIES`, the currencies beside USD and EUR */
export function offeredCurrencies(variable = ''): readonly Currency[] {
  if (variable !== lastVariable) {
    lastVariable = variable;
    lastOffered = [...new Set([...usual, ...named(variable).filter(isCurrency)])];
  }
  return lastOffered;
}

export const unknownCurrencies = (variable: string | undefined): string[] =>
  named(variable).filter((name) => !isCurrency(name));

export type Shortcuts = readonly [string, string, string];

type LocalMarket = 'gb' | 'ca' | 'au' | 'jp' | 'br' | 'mx' | 'pl' | 'se' | 'ch';

export interface Market {
  id: 'us' | 'euro' | 'europe' | 'consent' | 'other' | LocalMarket;
  currency: Currency;
  /** Whether the law requires consent before non-essential storage. */
  consent: boolean;
  shortcuts: Shortcuts;
  /** `order`: the button must say that it places an order with costs (EU consumer law). */
  orderButton: 'pay' | 'order';
  /** Whether pages say that prices include all taxes. */
  tax: boolean;
}

const euro = new Set(
  [
    'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
    'AX GF GP MF MQ RE YT',
  ].flatMap((codes) => codes.split(' ')),
);
const europe = new Set('CZ DK HU PL RO SE IS LI NO GB CH'.split(' '));
/** European territories and small states, and BR (LGPD), TR (KVKK), CA (Quebec's Law 25), TH (PDPA). */
const consentCountries = new Set(
  'AD BL BR CA FO GG GI IM JE MC ME NC PF PM RS SM TH TR UA VA WF XK'.split(' '),
);
/** Used outside production, to keep real mailboxes out of tests. */
export const testShortcuts = ['example.com', 'example.net', 'example.org'] as const;
const shortcuts = ['gmail.com', 'yahoo.com', 'outlook.com'] as const;

const markets = {
  us: { id: 'us', currency: 'USD', consent: false, shortcuts, orderButton: 'pay', tax: false },
  euro: { id: 'euro', currency: 'EUR', consent: true, shortcuts, orderButton: 'order', tax: true },
  europe: {
    id: 'europe',
    currency: 'USD',
    consent: true,
    shortcuts,
    orderButton: 'order',
    tax: true,
  },
  consent: {
    id: 'consent',
    currency: 'USD',
    consent: true,
    shortcuts,
    orderButton: 'pay',
    tax: true,
  },
  other: { id: 'other', currency: 'USD', consent: false, shortcuts, orderButton: 'pay', tax: true },
} as const satisfies Record<string, Market>;

const local = (
  id: LocalMarket,
  currency: Currency,
  law: Pick<Market, 'consent' | 'orderButton'>,
): Market => ({ id, currency, ...law, shortcuts, tax: true });

const inEurope = { consent: true, orderButton: 'order' } as const;
const requiresConsent = { consent: true, orderButton: 'pay' } as const;
const plain = { consent: false, orderButton: 'pay' } as const;

/** Markets by country; each applies only if its currency is offered. */
const localMarkets: Readonly<Record<string, Market>> = {
  GB: local('gb', 'GBP', inEurope),
  CA: local('ca', 'CAD', requiresConsent),
  AU: local('au', 'AUD', plain),
  JP: local('jp', 'JPY', plain),
  BR: local('br', 'BRL', requiresConsent),
  MX: local('mx', 'MXN', plain),
  PL: local('pl', 'PLN', inEurope),
  SE: local('se', 'SEK', inEurope),
  CH: local('ch', 'CHF', inEurope),
  LI: local('ch', 'CHF', inEurope),
};

const allMarkets: readonly Market[] = [
  ...Object.values(markets),
  ...new Map(Object.values(localMarkets).map((market) => [market.id, market])).values(),
];

export const marketIds = allMarkets.map(({ id }) => id);

export const isHost = (text: string) =>
  text.length <= 30 && /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/.test(text);

export function marketById(id: string): Market | undefined {
  return allMarkets.find((market) => market.id === id);
}

/** Names a market, and its currency where the buyer keeps that of a running subscription: `euro`, `euro-USD`. */
export const marketTag = ({ id, currency }: Pick<Market, 'id' | 'currency'>): string =>
  marketById(id)?.currency === currency ? id : `${id}-${currency}`;

export function marketByTag(tag: string): Market | undefined {
  const [id = '', currency] = tag.split('-');
  const market = marketById(id);
  if (!market || currency === undefined) return market;
  return isCurrency(currency) ? { ...market, currency } : undefined;
}

/** The edge sends `XX` for an unknown country and `T1` for Tor. */
const isKnownCountry = (country: string) => /^[A-Z]{2}$/.test(country) && country !== 'XX';

/** @param country ISO 3166 alpha-2; an unknown one requires consent */
export function marketOf(country: string, offered: readonly Currency[] = usual): Market {
  const own = Object.hasOwn(localMarkets, country) ? localMarkets[country] : undefined;
  if (own && offered.includes(own.currency)) return own;
  if (country === 'US') return markets.us;
  if (euro.has(country)) return markets.euro;
  if (europe.has(country)) return markets.europe;
  return consentCountries.has(country) || !isKnownCountry(country)
    ? markets.consent
    : markets.other;
}

/** Calculated tax is included in every price, so then pages of every market say so. */
export const withTax = (
  market: Market,
  { STRIPE_TAX, BRAINTREE_TAX_RATES }: { STRIPE_TAX?: string; BRAINTREE_TAX_RATES?: string },
): Market => (STRIPE_TAX === 'true' || BRAINTREE_TAX_RATES ? { ...market, tax: true } : market);
