import type { Page } from '../../worker/page-types.ts';
import { adsAllowed } from '../runtime/storage/ads-allowed.ts';
import { $events } from '../stores/events.ts';
import type { Platform } from './platform.ts';

/**
 * Store addresses for a device. On a phone, with ad consent, the OneLink replaces them so that the
 * install is attributed.
 */
export function appStoreLinks(stores: Page['stores'], platform: Platform): Page['stores'] {
  const { AF_SMART_SCRIPT: link } = $events.get().eventsData;
  if (platform === 'desktop' || typeof link !== 'string' || !adsAllowed()) return stores;
  return { ...stores, [platform]: link };
}
