export type Currency = 'USD' | 'EUR';

export type Shortcuts = readonly [string, string, string];

/** What a country changes on a page. A closed set, so that pages can be kept by market. */
export interface Market {
  id: 'us' | 'euro' | 'europe' | 'asking' | 'other';
  currency: Currency;
  /** Whether the law asks for consent before anything non-essential is stored. */
  consent: boolean;
  /** E-mail hosts offered as shortcuts. */
  shortcuts: Shortcuts;
  /** Whether the button must say that pressing it orders and pays (EU consumer law). */
  orderButton: 'pay' | 'order';
  /** Whether a price has to say that taxes are in it; in the US nobody expects it. */
  tax: boolean;
}

const euro = new Set(
  [
    'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
    // Parts of Finland and France that have codes of their own, and the Union's law.
    'AX GF GP MF MQ RE YT',
  ].flatMap((codes) => codes.split(' ')),
);
const europe = new Set('CZ DK HU PL RO SE IS LI NO GB CH'.split(' '));
/**
 * Where else lasting cookies need a yes first: Europe's other territories and small states, and
 * countries whose law is like Europe's (BR: LGPD, TR: KVKK, CA: Quebec's Law 25, TH: PDPA).
 */
const asking = new Set(
  'AD BL BR CA FO GG GI IM JE MC ME NC PF PM RS SM TH TR UA VA WF XK'.split(' '),
);
/** What is offered outside production, so that nobody's real mailbox is typed into a test. */
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

/** Whether a text is a mail host in lower case, short enough for a button: `example.org`. */
export const isHost = (text: string) =>
  text.length <= 30 && /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/.test(text);

/** @returns undefined for an id of none */
export function marketById(id: string): Market | undefined {
  return Object.values<Market>(markets).find((market) => market.id === id);
}

/** Whether a visitor was placed: the edge says `XX` where it can not, and `T1` of the Tor network. */
const isPlaced = (country: string) => /^[A-Z]{2}$/.test(country) && country !== 'XX';

/** The market of a country (ISO 3166 alpha-2); who can not be placed is asked. */
export function marketOf(country: string): Market {
  if (country === 'US') return markets.us;
  if (euro.has(country)) return markets.euro;
  if (europe.has(country)) return markets.europe;
  return asking.has(country) || !isPlaced(country) ? markets.asking : markets.other;
}
