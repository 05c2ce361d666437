import { beacon } from './beacons.ts';
import { createListener, type Listener } from './listener.ts';
import { scripts } from './scripts.ts';

/** The stand-ins of all ad networks, heatmaps and attribution services. */
export interface NetworksFake extends Listener {
  /** Answers null for an address that is none of theirs. */
  fetch(request: Request): Promise<Response | null>;
}

/** Hosts that these stand for. */
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

/** Opens the stand-ins. */
export function createNetworks(): NetworksFake {
  const listener = createListener();
  return {
    ...listener,
    async fetch(request) {
      if (request.method === 'POST') return listener.take(request);
      const url = new URL(request.url);
      const told = beacon(url);
      if (!told) return scripts(url);
      listener.heard.push(told);
      return new Response(null, { status: 204 });
    },
  };
}
