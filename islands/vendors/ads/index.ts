import type { PixelSettings } from '../../../worker/http/page-kind.ts';
import { pageData } from '../../runtime/hydration/page-data.ts';
import { handOver } from '../../runtime/navigation/back-button.ts';
import { adCookies } from '../../runtime/tracking/attribution.ts';
import { takePendingPixelPurchases } from '../../runtime/tracking/pixel-purchases.ts';
import { $consent, adsAllowed } from '../../stores/consent.ts';
import { mergeAnalyticsData } from '../../stores/events.ts';
import { appsflyer, oneLink } from './appsflyer.ts';
import { clarity } from './clarity.ts';
import { googleTag } from './google-tag.ts';
import { metaPixel } from './meta-pixel.ts';
import { tiktokPixel } from './tiktok-pixel.ts';
import type { Pixel } from './types.ts';

/** Poll interval in ms and number of polls (specification, section 9). */
const pollIntervalMs = 500;
const maxPolls = 20;

type AdCookie = keyof ReturnType<typeof adCookies>;

/** The networks' scripts set cookies some time after loading; these may be deleted later. */
export function awaitAdCookies(expected: readonly AdCookie[]): void {
  let pollsLeft = maxPolls;
  const poll = () => {
    if (!adsAllowed()) return;
    const found = Object.entries(adCookies()).filter(([, value]) => value);
    if (found.length > 0) mergeAnalyticsData(Object.fromEntries(found));
    const missing = expected.some((cookie) => found.every(([name]) => name !== cookie));
    pollsLeft -= 1;
    if (missing && pollsLeft > 0) setTimeout(poll, pollIntervalMs);
  };
  poll();
}

export function pixelsOf(settings: PixelSettings, screen = pageData().screen): Pixel[] {
  const { vendors, suffix, meta, tiktok, google, heatmap, appsflyer: key, onelink } = settings;
  const tools = { suffix, at: (address: string) => `${vendors || 'https:/'}/${address}` };
  return [
    ...(meta ? [metaPixel(meta, tools)] : []),
    ...(tiktok ? [tiktokPixel(tiktok, tools)] : []),
    ...(google ? [googleTag(google, tools)] : []),
    ...(key ? [appsflyer(key, tools)] : []),
    ...(onelink ? [oneLink(onelink, tools)] : []),
    ...(heatmap && screen !== 'success' ? [clarity(heatmap, tools)] : []),
  ];
}

export async function runPixel(pixel: Pixel): Promise<void> {
  try {
    await pixel.load();
  } catch {
    return; // Blockers refuse these scripts.
  }
  if (!pixel.purchase || !adsAllowed()) return;
  for (const purchase of takePendingPixelPurchases(pixel.name)) pixel.purchase(purchase);
}

function begin(settings: PixelSettings): Pixel[] {
  const { tiktok, google, appsflyer: key } = settings;
  const lateCookies: [AdCookie, unknown][] = [
    ['ttp', tiktok],
    ['google_client_id', google?.analytics],
    ['appsflyer_id', key],
  ];
  const pixels = pixelsOf(settings);
  for (const pixel of pixels) void runPixel(pixel);
  awaitAdCookies(lateCookies.flatMap(([cookie, enabled]) => (enabled ? [cookie] : [])));
  return pixels;
}

export function startPixels(settings: string): void {
  let running: Pixel[] | null = null;
  const applyConsent = () => {
    const allowed = adsAllowed();
    if (allowed) running ??= begin(JSON.parse(settings));
    if (allowed || !running) return;
    for (const pixel of running) pixel.withdraw?.();
    running = null;
    handOver();
    location.reload();
  };
  applyConsent();
  $consent.listen(applyConsent);
  // Consent may have been withdrawn in another tab.
  document.addEventListener('visibilitychange', applyConsent);
}
