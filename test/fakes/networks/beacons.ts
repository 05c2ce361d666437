import type { Heard } from './listener.ts';

const paths: Record<string, Heard['network']> = {
  'www.facebook.com/tr': 'meta',
  'analytics.tiktok.com/api/v2/pixel': 'tiktok',
  'www.google-analytics.com/g/collect': 'google',
  'www.googleadservices.com/pagead/conversion': 'ads',
};

/** What a pixel in a browser says; null for an address that is no pixel's. */
export function beacon({ hostname, pathname, searchParams }: URL): Heard | null {
  const network = paths[hostname + pathname];
  if (!network) return null;
  const { name = '', event = '' } = Object.fromEntries(searchParams);
  return { network, by: 'browser', name, event, body: searchParams.toString() };
}
