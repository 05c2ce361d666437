import { type Currency, countriesOf, currencies, isCurrency } from './currencies.ts';

export type Shortcuts = readonly [string, string, string];

export interface Market {
  /** The law's, where the currency is the law's usual one; else the first country that has both: `gb`, `ca`. */
  id: string;
  currency: Currency;
  consent: boolean;
  shortcuts: Shortcuts;
  /** `order`: the button must say that it places an order with costs (EU consumer law). */
  orderButton: 'pay' | 'order';
  tax: boolean;
}

const europe = new Set('CZ DK HU PL RO SE IS LI NO GB CH'.split(' '));
/** European territories and small states, and BR (LGPD), TR (KVKK), CA (Quebec's Law 25), TH (PDPA). */
const consentCountries = new Set(
  'AD BL BR CA FO GG GI IM JE MC ME NC PF PM RS SM TH TR UA VA WF XK'.split(' '),
);
const euro = new Set(countriesOf('EUR').filter((country) => !consentCountries.has(country)));
/** Used outside production, to keep real mailboxes out of tests. */
export const testShortcuts = ['example.com', 'example.net', 'example.org'] as const;
const shortcuts = ['gmail.com', 'yahoo.com', 'outlook.com'] as const;

const law = (
  id: string,
  { currency = 'USD', ...rules }: Partial<Market> & Pick<Market, 'consent' | 'orderButton'>,
): Market => ({ id, currency, tax: true, shortcuts, ...rules });

const inEurope = { consent: true, orderButton: 'order' } as const;

const laws = {
  us: law('us', { consent: false, orderButton: 'pay', tax: false }),
  euro: law('euro', { ...inEurope, currency: 'EUR' }),
  europe: law('europe', inEurope),
  consent: law('consent', { consent: true, orderButton: 'pay' }),
  other: law('other', { consent: false, orderButton: 'pay' }),
};

/** The edge sends `XX` for an unknown country and `T1` for Tor. */
const isKnownCountry = (country: string) => /^[A-Z]{2}$/.test(country) && country !== 'XX';

/** @param country an unknown one requires consent */
function lawOf(country: string): Market {
  if (country === 'US') return laws.us;
  if (euro.has(country)) return laws.euro;
  if (europe.has(country)) return laws.europe;
  return consentCountries.has(country) || !isKnownCountry(country) ? laws.consent : laws.other;
}

const ownMarkets = new Map<string, Market>();
const allMarkets = new Map<Market['id'], Market>(
  Object.values(laws).map((market) => [market.id, market]),
);
for (const currency of currencies) {
  const byLaw = new Map<Market, Market>();
  for (const country of countriesOf(currency)) {
    const common = lawOf(country);
    const named = { ...common, id: country.toLowerCase(), currency };
    const own = common.currency === currency ? common : (byLaw.get(common) ?? named);
    byLaw.set(common, own);
    ownMarkets.set(country, own);
    allMarkets.set(own.id, own);
  }
}

export const marketIds: readonly Market['id'][] = [...allMarkets.keys()];

export const isHost = (text: string) =>
  text.length <= 30 && /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/.test(text);

export const marketById = (id: string): Market | undefined => allMarkets.get(id);

/** Names a market, and its currency where it is not that of its id: `euro`, `euro-USD`. */
export const marketTag = ({ id, currency }: Pick<Market, 'id' | 'currency'>): string =>
  marketById(id)?.currency === currency ? id : `${id}-${currency}`;

export function marketByTag(tag: string): Market | undefined {
  const [id = '', currency] = tag.split('-');
  const market = marketById(id);
  if (!market || currency === undefined) return market;
  return isCurrency(currency) ? { ...market, currency } : undefined;
}

/** @param country ISO 3166 alpha-2 @param offered without its own currency, a country pays in USD */
export function marketOf(country: string, offered: readonly Currency[] = ['USD', 'EUR']): Market {
  const own = ownMarkets.get(country);
  if (own && offered.includes(own.currency)) return own;
  const common = lawOf(country);
  return offered.includes(common.currency) ? common : { ...common, currency: 'USD' };
}

/** Calculated tax is included in every price, so then pages of every market say so. */
export const withTax = (
  market: Market,
  { STRIPE_TAX, BRAINTREE_TAX_RATES }: { STRIPE_TAX?: string; BRAINTREE_TAX_RATES?: string },
): Market => (STRIPE_TAX === 'true' || BRAINTREE_TAX_RATES ? { ...market, tax: true } : market);
