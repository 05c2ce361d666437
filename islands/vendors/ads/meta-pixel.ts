import { metaClick } from '../../runtime/tracking/attribution.ts';
import { adsAllowed } from '../../stores/consent.ts';
import { loadScript } from '../load-script.ts';
import type { Pixel, PixelTools } from './types.ts';

const maxAgeSeconds = 90 * 24 * 60 * 60;

const has = (name: string, is: (value: string) => boolean) =>
  document.cookie
    .split('; ')
    .some((each) => each.startsWith(`${name}=`) && is(each.slice(name.length + 1)));

function setCookie(name: string, value: string, seconds: number): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax`;
}

/** Meta's parameter builder appends a fifth part, which stays (github.com/facebook/capi-param-builder). */
function isOfClick(fbc: string, id: string, at: number): boolean {
  const [, , created, known] = fbc.split('.');
  return known === id || Number(created) > at;
}

export function setMetaCookies(): void {
  if (!adsAllowed()) return;
  const click = metaClick();
  if (click && !has('_fbc', (fbc) => isOfClick(fbc, click.id, click.at))) {
    setCookie('_fbc', `fb.1.${click.at}.${click.id}`, click.leftSeconds);
  }
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  if (!has('_fbp', () => true)) setCookie('_fbp', `fb.1.${Date.now()}.${random}`, maxAgeSeconds);
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
function queueOf(page: Window & { fbq?: Fbq; _fbq?: Fbq }): Fbq {
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
  const fbq = queueOf(window);
  return {
    name: 'meta',
    async load() {
      fbq('set', 'autoConfig', false, id);
      fbq('init', id);
      // The script gives a click in the URL today's time unless it finds the cookie.
      setMetaCookies();
      await loadScript(at('connect.facebook.net/en_US/fbevents.js'));
    },
    purchase(sold) {
      const { price: value, plan, event_id: eventID } = sold;
      const verb = suffix ? 'trackSingleCustom' : 'trackSingle';
      const data = { ...sold, pixelName, value, content_ids: [plan], content_type: 'product' };
      fbq(verb, id, pixelName, data, { eventID });
    },
  };
}
