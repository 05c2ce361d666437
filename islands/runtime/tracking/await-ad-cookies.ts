import { mergeAnalyticsData } from '../../stores/events.ts';
import { adsAllowed } from '../storage/ads-allowed.ts';
import { adCookies } from './attribution.ts';

/** Ms between two looks (specification, section 9), and after how many nothing more is awaited. */
const period = 500;
const looks = 20;

type Mark = keyof ReturnType<typeof adCookies>;

/**
 * Notes the ids that networks' scripts put into cookies a while after they were loaded, so that they
 * are still known where such a cookie is gone again.
 */
export function awaitAdCookies(wanted: readonly Mark[]): void {
  let left = looks;
  const look = () => {
    if (!adsAllowed()) return;
    const found = Object.entries(adCookies()).filter(([, value]) => value);
    if (found.length > 0) mergeAnalyticsData(Object.fromEntries(found));
    const missing = wanted.some((mark) => found.every(([name]) => name !== mark));
    left -= 1;
    if (missing && left > 0) setTimeout(look, period);
  };
  look();
}
