import type { PageKind, PixelSettings } from './page-kind.ts';
import type { scriptReasons } from './script-reasons.ts';

export type Directive = `${'script' | 'style' | 'img' | 'connect' | 'frame'}-src` | 'form-action';
type Network = Exclude<keyof PixelSettings, 'vendors' | 'suffix'>;

export interface ThirdParty {
  who: keyof typeof scriptReasons;
  kinds: readonly PageKind[];
  /** Used only if the deployment has this ad network; its scripts also need the visitor's consent. */
  network?: Network;
  sources: Partial<Record<Directive, readonly string[]>>;
  /** Trusted Types policies that its scripts are known to create. */
  policies?: readonly string[];
  /** Origins whose frames may open the browser's payment sheet. */
  pays?: readonly string[];
}

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
    kinds: ['ordinary'],
    network: 'meta',
    sources: {
      'script-src': ['https://connect.facebook.net'],
      'img-src': facebook,
      'connect-src': facebook,
    },
    policies: ['connect.facebook.net/fbevents'],
  },
  {
    who: 'TikTok',
    kinds: ['ordinary'],
    network: 'tiktok',
    sources: { 'script-src': tiktok, 'img-src': tiktok, 'connect-src': tiktok },
  },
  {
    who: 'Google Ads and Analytics',
    kinds: ['ordinary'],
    network: 'google',
    sources: {
      // Google's list also has national domains, which only remarketing audiences need.
      'script-src': googleAds,
      'img-src': google,
      'connect-src': [...google, 'https://ad.doubleclick.net'],
      'frame-src': ['https://www.googletagmanager.com', 'https://td.doubleclick.net'],
    },
    policies: googlePolicies,
  },
  {
    who: 'Microsoft Clarity',
    kinds: ['ordinary'],
    network: 'heatmap',
    sources: {
      'script-src': ['https://www.clarity.ms', 'https://scripts.clarity.ms'],
      'img-src': clarity,
      'connect-src': clarity,
    },
  },
  {
    who: 'AppsFlyer',
    kinds: ['ordinary'],
    network: 'appsflyer',
    sources: {
      'script-src': ['https://websdk.appsflyer.com', 'https://websdk.appsflyersdk.com'],
      'img-src': appsflyer,
      'connect-src': [...appsflyer, 'https://wa.onelink.me'],
    },
  },
  {
    who: 'AppsFlyer OneLink',
    kinds: ['ordinary'],
    network: 'onelink',
    sources: {
      'script-src': [
        'https://onelinksmartscript.appsflyer.com',
        'https://onelinksmartscript.appsflyersdk.com',
      ],
    },
  },
];
