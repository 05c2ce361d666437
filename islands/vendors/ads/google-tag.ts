import type { PixelSettings } from '../../../worker/http/page-kind.ts';
import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

type Signal = 'ad_storage' | 'ad_user_data' | 'ad_personalization' | 'analytics_storage';

/** Google consent mode's four signals (developers.google.com/tag-platform/security/guides/consent). */
const consentMode = (state: 'granted' | 'denied'): Record<Signal, typeof state> => ({
  ad_storage: state,
  ad_user_data: state,
  ad_personalization: state,
  analytics_storage: state,
});

type Page = Window & { dataLayer?: IArguments[] };

function gtag(..._command: [verb: string, ...rest: unknown[]]): void {
  const page: Page = window;
  page.dataLayer ??= [];
  page.dataLayer.push(arguments);
}

export function googleTag(
  { ads, label, analytics }: NonNullable<PixelSettings['google']>,
  { at, suffix }: PixelTools,
): Pixel {
  const ids = [ads, analytics].filter((id) => id !== undefined);
  const pixelName = `purchase${suffix}`;
  return {
    name: 'google',
    async load() {
      gtag('consent', 'default', consentMode('granted'));
      gtag('js', new Date());
      for (const id of ids) {
        gtag('config', id, { send_page_view: false, allow_enhanced_conversions: false });
      }
      await loadScript(at(`www.googletagmanager.com/gtag/js?id=${ids[0]}`));
    },
    withdraw() {
      gtag('consent', 'update', consentMode('denied'));
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
