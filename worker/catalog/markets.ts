export type Currency = 'USD' | 'EUR';

export type Shortcuts = readonly [string, string, string];

export interface Market {
  id: 'us' | 'euro' | 'europe' | 'asking' | 'other';
  currency: Currency;
  /** Whether the law requires consent before non-essential storage. */
  consent: boolean;
  shortcuts: Shortcuts;
  /** `order`: the button must say that it places an order with costs (EU consumer law). */
  orderButton: 'pay' | 'order';
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
const asking = new Set(
  'AD BL BR CA FO GG GI IM JE MC ME NC PF PM RS SM TH TR UA VA WF XK'.split(' '),
);
/** Outside production, so that nobody types a real mailbox into a test. */
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
  asking: {
    id: 'asking',
    currency: 'USD',
    consent: true,
    shortcuts,
    orderButton: 'pay',
    tax: true,
  },
  other: { id: 'other', currency: 'USD', consent: false, shortcuts, orderButton: 'pay', tax: true },
} as const satisfies Record<string, Market>;

export const marketIds = Object.keys(markets) as Market['id'][];

export const isHost = (text: string) =>
  text.length <= 30 && /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/.test(text);

export function marketById(id: string): Market | undefined {
  return Object.values<Market>(markets).find((market) => market.id === id);
}

/** The edge sends `XX` for an unknown country and `T1` for Tor. */
const isKnownCountry = (country: string) => /^[A-Z]{2}$/.test(country) && country !== 'XX';

/** @param country ISO 3166 alpha-2; an unknown one requires consent */
export function marketOf(country: string): Market {
  if (country === 'US') return markets.us;
  if (euro.has(country)) return markets.euro;
  if (europe.has(country)) return markets.europe;
  return asking.has(country) || !isKnownCountry(country) ? markets.asking : markets.other;
}
