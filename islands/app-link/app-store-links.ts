import type { Page } from '../../worker/page-types.ts';
import { adsAllowed } from '../runtime/storage/ads-allowed.ts';
import { $events } from '../stores/events.ts';
import type { Platform } from './platform.ts';

/**
 * Where a device finds the app: by the link that knows the ad which led here, on the visitor's own
 * phone where that may be told, else by the addresses of the stores.
 */
export function appStoreLinks(stores: Page['stores'], platform: Platform): Page['stores'] {
  const { AF_SMART_SCRIPT: link } = $events.get().eventsData;
  if (platform === 'desktop' || typeof link !== 'string' || !adsAllowed()) return stores;
  return { ...stores, [platform]: link };
}
