import { mergeAnalyticsData } from '../../stores/events.ts';
import { adsAllowed } from '../storage/ads-allowed.ts';
import { adCookies } from './attribution.ts';

/** Poll interval in ms and number of polls (specification, section 9). */
const pollIntervalMs = 500;
const maxPolls = 20;

type AdCookie = keyof ReturnType<typeof adCookies>;

/**
 * Stores ids that the networks' scripts set in cookies some time after loading, because those
 * cookies may be deleted later.
 */
export function awaitAdCookies(wanted: readonly AdCookie[]): void {
  let left = maxPolls;
  const look = () => {
    if (!adsAllowed()) return;
    const found = Object.entries(adCookies()).filter(([, value]) => value);
    if (found.length > 0) mergeAnalyticsData(Object.fromEntries(found));
    const missing = wanted.some((mark) => found.every(([name]) => name !== mark));
    left -= 1;
    if (missing && left > 0) setTimeout(look, pollIntervalMs);
  };
  look();
}
