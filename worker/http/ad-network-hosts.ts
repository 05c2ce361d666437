import type { PageKind, PixelSettings } from './page-kind.ts';

export type Directive = `${'script' | 'style' | 'img' | 'connect' | 'frame'}-src` | 'form-action';
type Network = Exclude<keyof PixelSettings, 'vendors' | 'suffix'>;

export interface ThirdParty {
  who: string;
  why: string;
  kinds: readonly PageKind[];
  /** URL where the vendor documents these hosts; null for our own. */
  published: string | null;
  /** Used only if the deployment has this ad network; its scripts also need the visitor's consent. */
  network?: Network;
  sources: Partial<Record<Directive, readonly string[]>>;
  /** Trusted Types policies that its scripts are known to create. */
  policies?: readonly string[];
  /** Origins whose frames may open the browser's payment sheet. */
  pays?: readonly string[];
  integrity: string;
}

export const unpinned = 'none: the vendor changes the file at its URL, so a hash would block it';
export const googlePolicies = ['goog#html', 'google#safe', "'allow-duplicates'"];

const facebook = ['https://www.facebook.com'];
const tiktok = [
  'https://analytics.tiktok.com',
  'https://analytics-ipv6.tiktokw.us',
  'https://ads.tiktok.com',
];
const clarity = ['https://*.clarity.ms', 'https://c.bing.com'];
// The SDK moved to the second domain in March 2026: github.com/easylist/easylist/pull/23473.
const appsflyer = ['https://wa.appsflyer.com', 'https://wa.appsflyersdk.com'];
const googleAds = [
  'https://www.googletagmanager.com',
  'https://www.googleadservices.com',
  'https://googleads.g.doubleclick.net',
  'https://pagead2.googlesyndication.com',
  'https://www.google.com',
];
const google = [
  ...googleAds,
  'https://google.com',
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
];
export const adNetworks: readonly ThirdParty[] = [
  {
    // Meta publishes no list of hosts; these are in its own snippet.
    who: 'Meta',
    why: 'attributes purchases to the ads that brought the visitor',
    kinds: ['ordinary'],
    published: 'https://developers.facebook.com/docs/meta-pixel/get-started',
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
    why: 'attributes purchases to the ads that brought the visitor',
    kinds: ['ordinary'],
    published: 'https://business-api.tiktok.com/portal/docs?id=1739585702922241',
    network: 'tiktok',
    sources: { 'script-src': tiktok, 'img-src': tiktok, 'connect-src': tiktok },
    integrity: unpinned,
  },
  {
    who: 'Google Ads and Analytics',
    why: 'attributes purchases to the ads that brought the visitor',
    kinds: ['ordinary'],
    published: 'https://developers.google.com/tag-platform/security/guides/csp',
    network: 'google',
    sources: {
      // Google's list also has national domains, which only remarketing audiences need.
      'script-src': googleAds,
      'img-src': google,
      'connect-src': [...google, 'https://ad.doubleclick.net'],
      'frame-src': ['https://www.googletagmanager.com', 'https://td.doubleclick.net'],
    },
    policies: googlePolicies,
    integrity: unpinned,
  },
  {
    who: 'Microsoft Clarity',
    why: 'shows where visitors tap, with all text masked',
    kinds: ['ordinary'],
    published: 'https://learn.microsoft.com/en-us/clarity/setup-and-installation/clarity-csp',
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
    why: 'attributes app installs to the ad',
    kinds: ['ordinary'],
    published: 'https://support.appsflyer.com/hc/en-us/articles/43485611331473',
    network: 'appsflyer',
    sources: {
      'script-src': ['https://websdk.appsflyer.com', 'https://websdk.appsflyersdk.com'],
      'img-src': appsflyer,
      'connect-src': [...appsflyer, 'https://wa.onelink.me'],
    },
    integrity: unpinned,
  },
  {
    who: 'AppsFlyer',
    why: 'adds the ad to the links to the app stores',
    kinds: ['ordinary'],
    published: 'https://support.appsflyer.com/hc/en-us/articles/43485611331473',
    network: 'onelink',
    sources: {
      'script-src': [
        'https://onelinksmartscript.appsflyer.com',
        'https://onelinksmartscript.appsflyersdk.com',
      ],
    },
    integrity: unpinned,
  },
];
