import { script } from '../frame-pages.ts';
import {
  conversionHosts,
  createListener,
  type Listener,
  type ReceivedEvent,
} from './conversions.ts';

const paths: Record<string, ReceivedEvent['network']> = {
  'www.facebook.com/tr': 'meta',
  'analytics.tiktok.com/api/v2/pixel': 'tiktok',
  'www.google-analytics.com/g/collect': 'google',
  'www.googleadservices.com/pagead/conversion': 'ads',
};

function beacon({ hostname, pathname, searchParams }: URL): ReceivedEvent | null {
  const network = paths[hostname + pathname];
  if (!network) return null;
  const { name = '', event = '' } = Object.fromEntries(searchParams);
  return { network, by: 'browser', name, event, body: searchParams.toString() };
}

const scriptPaths = new Set([
  'connect.facebook.net/en_US/fbevents.js',
  'analytics.tiktok.com/i18n/pixel/events.js',
  'www.googletagmanager.com/gtag/js',
  'www.clarity.ms/tag/heatmap_fake',
  'onelinksmartscript.appsflyer.com/onelink-smart-script-latest.js',
  'websdk.appsflyer.com/',
]);

async function scripts({ hostname, pathname }: URL): Promise<Response | null> {
  if (!scriptPaths.has(hostname + pathname)) return null;
  return script(new URL('browser/pixels.ts', import.meta.url));
}

export interface NetworksFake extends Listener {
  /** Null for an unknown URL. */
  fetch(request: Request): Promise<Response | null>;
}

const hostOf = (path: string) => path.split('/')[0] ?? '';
export const networkHosts = [
  ...new Set([...Object.keys(paths), ...scriptPaths, ...conversionHosts].map(hostOf)),
];

export function createNetworks(): NetworksFake {
  const listener = createListener();
  return {
    ...listener,
    async fetch(request) {
      if (request.method === 'POST') return listener.receive(request);
      const url = new URL(request.url);
      const event = beacon(url);
      if (!event) return scripts(url);
      listener.received.push(event);
      return new Response(null, { status: 204 });
    },
  };
}
