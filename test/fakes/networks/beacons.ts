import type { ReceivedEvent } from './listener.ts';

const paths: Record<string, ReceivedEvent['network']> = {
  'www.facebook.com/tr': 'meta',
  'analytics.tiktok.com/api/v2/pixel': 'tiktok',
  'www.google-analytics.com/g/collect': 'google',
  'www.googleadservices.com/pagead/conversion': 'ads',
};

/** The event of a browser's pixel; null for any other URL. */
export function beacon({ hostname, pathname, searchParams }: URL): ReceivedEvent | null {
  const network = paths[hostname + pathname];
  if (!network) return null;
  const { name = '', event = '' } = Object.fromEntries(searchParams);
  return { network, by: 'browser', name, event, body: searchParams.toString() };
}
