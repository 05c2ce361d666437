import { adsAllowed } from '../../stores/consent.ts';
import { $events } from '../../stores/events.ts';
import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

const maxAgeSeconds = 90 * 24 * 60 * 60;

const has = (name: string, end: string) =>
  document.cookie.split('; ').some((each) => each.startsWith(`${name}=`) && each.endsWith(end));

function setCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax`;
}

export function setMetaCookies(): void {
  if (!adsAllowed()) return;
  const now = Date.now();
  const click = $events.get().analyticsData.fb_click_id;
  if (typeof click === 'string' && /^[\w-]+$/.test(click) && !has('_fbc', `.${click}`)) {
    setCookie('_fbc', `fb.1.${now}.${click}`);
  }
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  if (!has('_fbp', '')) setCookie('_fbp', `fb.1.${now}.${random}`);
}

type Call = [verb: string, ...rest: unknown[]];

interface Fbq {
  (...call: Call): void;
  queue: Call[];
  callMethod?: (...call: Call) => void;
  push: Fbq;
  loaded: boolean;
  version: string;
  disablePushState: boolean;
}

/** The queue that the script expects (developers.facebook.com/docs/meta-pixel/get-started). */
function queueOf(page: { fbq?: Fbq; _fbq?: Fbq }): Fbq {
  if (page.fbq) return page.fbq;
  const fbq = ((...call) => {
    if (fbq.callMethod) fbq.callMethod(...call);
    else fbq.queue.push(call);
  }) as Fbq;
  Object.assign(fbq, { queue: [], push: fbq, loaded: true, version: '2.0' });
  // No automatic tracking of screens, buttons or form input.
  fbq.disablePushState = true;
  page.fbq = fbq;
  page._fbq = fbq;
  return fbq;
}

export function metaPixel(id: string, { at, suffix }: PixelTools): Pixel {
  const pixelName = `Purchase${suffix}`;
  const fbq = queueOf(window as { fbq?: Fbq });
  return {
    name: 'meta',
    async load() {
      fbq('set', 'autoConfig', false, id);
      fbq('init', id);
      await loadScript(at('connect.facebook.net/en_US/fbevents.js')).finally(setMetaCookies);
    },
    purchase(sold) {
      const { price: value, plan, event_id: eventID } = sold;
      const verb = suffix ? 'trackSingleCustom' : 'trackSingle';
      const data = { ...sold, pixelName, value, content_ids: [plan], content_type: 'product' };
      fbq(verb, id, pixelName, data, { eventID });
    },
  };
}
