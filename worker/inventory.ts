import type { PageKind, PixelSettings } from './funnel/page.ts';

export type Directive = `${'script' | 'style' | 'img' | 'connect' | 'frame'}-src` | 'form-action';
type Network = Exclude<keyof PixelSettings, 'vendors' | 'suffix'>;

/** Somebody whose scripts or answers a page meets, and why. */
export interface Party {
  who: string;
  /** What the product could not do without it. */
  why: string;
  kinds: readonly PageKind[];
  /** Only where a deployment has this network; the visitor's consent comes on top. */
  network?: Network;
  sources: Partial<Record<Directive, readonly string[]>>;
  /** Names of the Trusted Types policies that its scripts make, as far as they are known. */
  policies?: readonly string[];
  /** Origins whose frames may open the browser's own payment sheet. */
  pays?: readonly string[];
  /** How a changed script would be noticed. */
  integrity: string;
}

const unpinned = 'none: the vendor changes the file under its address, so a hash would stop it';
const cardinal = ['https://*.cardinalcommerce.com', 'https://*.cardinaltrusted.com'];
const paypal = ['https://*.paypal.com', 'https://www.paypalobjects.com'];
const facebook = ['https://www.facebook.com'];
const tiktok = ['https://analytics.tiktok.com'];
const clarity = ['https://*.clarity.ms', 'https://c.bing.com'];
const google = [
  'https://www.googletagmanager.com',
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
  'https://www.googleadservices.com',
  'https://googleads.g.doubleclick.net',
  'https://www.google.com',
];
/** Closure's and Safe Values' own names; a page may hold several scripts that make them. */
const googlePolicies = ['goog#html', 'google#safe', "'allow-duplicates'"];

/**
 * Every script and host that a page may meet, by kind of page: the policies are made of this list, and
 * `npm run config -- watch` holds a live page against it. Not by screen: the deployment's settings and the
 * first payment decide by whom a screen takes payment, so few policies mean that Braintree's, Cardinal's
 * and PayPal's hosts stand on Stripe's checkouts, too.
 */
export const inventory: readonly Party[] = [
  {
    who: 'this product',
    why: 'the pages’ own code, pictures and calls',
    kinds: ['ordinary', 'payment', 'private'],
    // A screen's CSS stands in its HTML.
    sources: {
      'style-src': ["'self'", "'unsafe-inline'"],
      'script-src': ["'self'"],
      'img-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
    },
    policies: ['funnel', 'default'],
    integrity: 'by its bytes: a file’s name holds its hash, and `config -- watch` compares the two',
  },
  {
    who: 'this product',
    why: 'tells the browser which document comes next',
    kinds: ['ordinary'],
    sources: { 'script-src': ["'inline-speculation-rules'"] },
    integrity: 'no code: an address, named by the page’s own script',
  },
  {
    who: 'this product',
    why: 'pictures that the page draws itself',
    kinds: ['ordinary', 'payment'],
    sources: { 'img-src': ['data:'] },
    integrity: 'no code',
  },
  {
    // developers.google.com/identity/gsi/web/guides/get-google-api-clientid
    who: 'Google sign-in',
    why: 'signs up without an e-mail being typed; draws its own button in a frame',
    kinds: ['ordinary'],
    sources: {
      'style-src': ['https://accounts.google.com/gsi/style'],
      'script-src': ['https://accounts.google.com/gsi/client'],
      'connect-src': ['https://accounts.google.com/gsi/'],
      'frame-src': ['https://accounts.google.com/gsi/'],
    },
    policies: googlePolicies,
    integrity: unpinned,
  },
  {
    // docs.stripe.com/security/guide#content-security-policy
    who: 'Stripe',
    why: 'draws the card fields in frames of its own, takes the payment, opens 3-D Secure',
    kinds: ['payment'],
    sources: {
      'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
      'img-src': ['https://*.stripe.com'],
      'connect-src': ['https://api.stripe.com'],
      'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    },
    pays: ['https://js.stripe.com'],
    integrity: unpinned,
  },
  {
    // braintree.github.io/braintree-web/current
    who: 'Braintree',
    why: 'draws the card fields in frames of its own, takes the payment',
    kinds: ['payment'],
    sources: {
      'script-src': ['https://js.braintreegateway.com'],
      'img-src': ['https://assets.braintreegateway.com'],
      'connect-src': ['https://*.braintreegateway.com', 'https://*.braintree-api.com'],
      'frame-src': ['https://assets.braintreegateway.com'],
    },
    integrity: 'possible: its address holds the version; no hash is set, the frames have none',
  },
  {
    // braintree.github.io/braintree-web/current/#content-security-policy, '3D Secure Specific Directives',
    // and braintree-web's CHANGELOG, 3.121.0 and 3.134.0: the gateway's configuration names the script,
    // which is on cardinaltrusted.com (github.com/braintree/braintree-web-drop-in/issues/977).
    who: 'Cardinal, for Braintree',
    why: 'has the bank ask the card’s owner: 3-D Secure',
    kinds: ['payment'],
    sources: { 'script-src': cardinal, 'connect-src': cardinal, 'frame-src': cardinal },
    integrity:
      'by its hash where Braintree’s configuration names one (cardinalSongbirdIdentityHash)',
  },
  {
    // The same page of Braintree's: `frame-src *` and `form-action *`, because nobody can list the hosts
    // of all banks, and Cardinal's script posts from our document into the frame.
    who: 'the bank of whoever pays',
    why: 'asks the card’s owner in a frame of our page: 3-D Secure',
    kinds: ['payment'],
    sources: { 'frame-src': ['https:'], 'form-action': ['https:'] },
    integrity: 'no code in our page',
  },
  {
    // developer.paypal.com/limited-release/fraudnet/integrate
    who: 'PayPal, for Braintree',
    why: 'pays by PayPal, and looks at the device against fraud',
    kinds: ['payment'],
    sources: {
      'script-src': paypal,
      'img-src': paypal,
      'connect-src': ['https://*.paypal.com'],
      'frame-src': ['https://*.paypal.com'],
    },
    pays: ['https://www.paypal.com'],
    integrity: unpinned,
  },
  {
    who: 'Google Pay, for Braintree',
    why: 'pays by Google Pay; Apple Pay is Safari’s own and loads nothing',
    kinds: ['payment'],
    sources: {
      'script-src': ['https://pay.google.com'],
      'img-src': ['https://www.gstatic.com'],
      'connect-src': ['https://pay.google.com', 'https://google.com/pay'],
      'frame-src': ['https://pay.google.com'],
    },
    pays: ['https://pay.google.com'],
    policies: googlePolicies,
    integrity: unpinned,
  },
  {
    who: 'Meta',
    why: 'counts purchases for the ads that brought the visitor',
    kinds: ['ordinary'],
    network: 'meta',
    sources: {
      'script-src': ['https://connect.facebook.net'],
      'img-src': facebook,
      'connect-src': facebook,
    },
    policies: ['connect.facebook.net/fbevents'],
    integrity: unpinned,
  },
  {
    who: 'TikTok',
    why: 'counts purchases for the ads that brought the visitor',
    kinds: ['ordinary'],
    network: 'tiktok',
    sources: { 'script-src': tiktok, 'img-src': tiktok, 'connect-src': tiktok },
    integrity: unpinned,
  },
  {
    who: 'Google Ads and Analytics',
    why: 'counts purchases for the ads that brought the visitor',
    kinds: ['ordinary'],
    network: 'google',
    sources: {
      'script-src': [
        'https://www.googletagmanager.com',
        'https://www.googleadservices.com',
        'https://googleads.g.doubleclick.net',
      ],
      'img-src': google,
      'connect-src': [...google, 'https://pagead2.googlesyndication.com'],
      'frame-src': ['https://www.googletagmanager.com', 'https://td.doubleclick.net'],
    },
    policies: googlePolicies,
    integrity: unpinned,
  },
  {
    who: 'Microsoft Clarity',
    why: 'shows where pages are touched, with all words hidden from it',
    kinds: ['ordinary'],
    network: 'heatmap',
    sources: {
      'script-src': ['https://www.clarity.ms', 'https://scripts.clarity.ms'],
      'img-src': clarity,
      'connect-src': clarity,
    },
    integrity: unpinned,
  },
  {
    who: 'AppsFlyer',
    why: 'lets the app be known to follow the ad',
    kinds: ['ordinary'],
    network: 'appsflyer',
    sources: {
      'script-src': ['https://websdk.appsflyer.com'],
      'img-src': ['https://wa.appsflyer.com'],
      'connect-src': ['https://wa.appsflyer.com', 'https://wa.onelink.me'],
    },
    integrity: unpinned,
  },
  {
    who: 'AppsFlyer',
    why: 'makes the way to the stores one that knows the ad',
    kinds: ['ordinary'],
    network: 'onelink',
    sources: { 'script-src': ['https://onelinksmartscript.appsflyer.com'] },
    integrity: unpinned,
  },
];

/** Who may be met on a kind of page, where these networks are configured. */
export const partiesOn = (kind: PageKind, networks: PixelSettings | null = null): Party[] =>
  inventory.filter(
    ({ kinds, network }) => kinds.includes(kind) && (!network || Boolean(networks?.[network])),
  );

/** Hosts of the scripts that a kind of page may load besides our own, with spaces between. */
export const scriptHosts = (kind: PageKind, networks: PixelSettings | null = null): string => {
  const sources = partiesOn(kind, networks).flatMap(({ sources }) => sources['script-src'] ?? []);
  const hosts = sources.flatMap((source) => /^https:\/\/([^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set(hosts)].join(' ');
};
