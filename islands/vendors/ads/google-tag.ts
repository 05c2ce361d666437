import type { PixelSettings } from '../../../worker/page-types.ts';
import { loadScript } from '../load-script.ts';
import { googleConsentMode } from './google-consent-mode.ts';
import type { Pixel, PixelTools } from './types.ts';

type Page = { dataLayer?: IArguments[] };

/** The tag tells its commands from other data by their being `arguments`. */
function gtag(..._command: [verb: string, ...rest: unknown[]]): void {
  const page = window as Page;
  page.dataLayer ??= [];
  page.dataLayer.push(arguments);
}

/**
 * Google's tag, for ads and analytics. It is told of consent before it is there, then of purchases:
 * a purchase, and where a label is given the conversion of that name.
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
