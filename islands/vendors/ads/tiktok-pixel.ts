import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

type Track = (name: string, data: object, options: { event_id: string }) => void;

interface Ttq extends Array<unknown[]> {
  methods: string[];
  track: Track;
  _i: Record<string, unknown[] & { _u?: string }>;
  _t: Record<string, number>;
  _o: Record<string, object>;
}

interface Page extends Window {
  ttq?: Ttq;
  TiktokAnalyticsObject?: string;
}

/** The queue that the script expects (business-api.tiktok.com/portal/docs). */
function listOf(page: Page): Ttq {
  if (page.ttq) return page.ttq;
  const list: unknown[][] = [];
  const track: Track = (...event) => void list.push(['track', ...event]);
  page.ttq = Object.assign(list, { methods: ['track'], track, _i: {}, _t: {}, _o: {} });
  page.TiktokAnalyticsObject = 'ttq';
  return page.ttq;
}

export function tiktokPixel(id: string, { at, suffix }: PixelTools): Pixel {
  const source = at('analytics.tiktok.com/i18n/pixel/events.js');
  const pixelName = `CompletePayment${suffix}`;
  const page: Page = window;
  return {
    name: 'tiktok',
    load() {
      const list = listOf(page);
      list._i[id] = Object.assign([], { _u: source });
      list._t[id] = Date.now();
      list._o[id] = {};
      return loadScript(`${source}?sdkid=${id}&lib=ttq`);
    },
    purchase(sold) {
      const { price: value, plan: content_id, event_id } = sold;
      const data = { ...sold, pixelName, value, content_id, content_type: 'product' };
      page.ttq?.track(pixelName, data, { event_id });
    },
  };
}
