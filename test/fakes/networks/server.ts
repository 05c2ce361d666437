import { beacon } from './beacons.ts';
import { createListener, type Listener } from './listener.ts';
import { scripts } from './scripts.ts';

/** All ad networks, heatmaps and attribution services. */
export interface NetworksFake extends Listener {
  /** Null for an unknown URL. */
  fetch(request: Request): Promise<Response | null>;
}

export const networkHosts = [
  'connect.facebook.net',
  'www.facebook.com',
  'graph.facebook.com',
  'analytics.tiktok.com',
  'business-api.tiktok.com',
  'www.googletagmanager.com',
  'www.google-analytics.com',
  'www.googleadservices.com',
  'www.clarity.ms',
  'websdk.appsflyer.com',
  'onelinksmartscript.appsflyer.com',
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
