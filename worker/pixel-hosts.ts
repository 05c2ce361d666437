import type { PixelSettings } from './funnel/page.ts';

type Directive = 'script-src' | 'img-src' | 'connect-src' | 'frame-src';
type Hosts = Partial<Record<Directive, string>>;
type Network = Exclude<keyof PixelSettings, 'vendors' | 'suffix'>;

const facebook = 'https://www.facebook.com';
const tiktok = 'https://analytics.tiktok.com';
const clarity = 'https://*.clarity.ms https://c.bing.com';
const google =
  'https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com ' +
  'https://www.googleadservices.com https://googleads.g.doubleclick.net https://www.google.com';

/** What each network's script asks for, as its documentation lists it. */
const hosts: Record<Network, Hosts> = {
  meta: {
    'script-src': 'https://connect.facebook.net',
    'img-src': facebook,
    'connect-src': facebook,
  },
  tiktok: { 'script-src': tiktok, 'img-src': tiktok, 'connect-src': tiktok },
  google: {
    'script-src':
      'https://www.googletagmanager.com https://www.googleadservices.com ' +
      'https://googleads.g.doubleclick.net',
    'img-src': google,
    'connect-src': `${google} https://pagead2.googlesyndication.com`,
    'frame-src': 'https://www.googletagmanager.com https://td.doubleclick.net',
  },
  heatmap: {
    'script-src': 'https://www.clarity.ms https://scripts.clarity.ms',
    'img-src': clarity,
    'connect-src': clarity,
  },
  appsflyer: {
    'script-src': 'https://websdk.appsflyer.com',
    'img-src': 'https://wa.appsflyer.com',
    'connect-src': 'https://wa.appsflyer.com https://wa.onelink.me',
  },
  onelink: { 'script-src': 'https://onelinksmartscript.appsflyer.com' },
};

/** A policy that also admits the networks that are configured, and no other. */
export function admit(
  policy: Readonly<Record<string, string>>,
  settings: PixelSettings,
): Record<string, string> {
  const admitted = { ...policy };
  for (const network of Object.keys(hosts) as Network[]) {
    if (!settings[network]) continue;
    for (const [directive, names] of Object.entries(hosts[network])) {
      admitted[directive] = `${admitted[directive]} ${names}`;
    }
  }
  return admitted;
}
