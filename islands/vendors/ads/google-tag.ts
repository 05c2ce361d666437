import type { PixelSettings } from '../../../worker/page-types.ts';
import { loadScript } from '../load-script.ts';
import { googleConsentMode } from './google-consent-mode.ts';
import type { Pixel, PixelTools } from './types.ts';

type Page = { dataLayer?: IArguments[] };

/** gtag.js recognises commands by their type: an `arguments` object. */
function gtag(..._command: [verb: string, ...rest: unknown[]]): void {
  const page = window as Page;
  page.dataLayer ??= [];
  page.dataLayer.push(arguments);
}

/**
 * Google's tag for Ads and Analytics. It receives consent before it loads, then purchases: the
 * purchase event, and a conversion where a label is configured.
 */
export function googleTag(
  { ads, label, analytics }: NonNullable<PixelSettings['google']>,
  { at, suffix }: PixelTools,
): Pixel {
  const ids = [ads, analytics].filter((id) => id !== undefined);
  const pixelName = `purchase${suffix}`;
  return {
    name: 'google',
    async load() {
      gtag('consent', 'default', googleConsentMode({ measuring: true, ads: true }));
      gtag('js', new Date());
      for (const id of ids) {
        gtag('config', id, { send_page_view: false, allow_enhanced_conversions: false });
      }
      await loadScript(at(`www.googletagmanager.com/gtag/js?id=${ids[0]}`));
    },
    withdraw() {
      gtag('consent', 'update', googleConsentMode({ measuring: false, ads: false }));
    },
    purchase(sold) {
      const { price: value, currency, plan: item_id, event_id: transaction_id } = sold;
      const items = [{ item_id, price: value, quantity: 1 }];
      gtag('event', pixelName, { ...sold, pixelName, transaction_id, value, items, send_to: ids });
      if (!ads || !label) return;
      const send_to = `${ads}/${label}`;
      gtag('event', 'conversion', { send_to, value, currency, transaction_id });
    },
  };
}
