import { adsAllowed } from '../../runtime/storage/ads-allowed.ts';
import { $events } from '../../stores/events.ts';

/** 90 days, as Meta's script sets it. */
const lifetime = 90 * 24 * 60 * 60;

const has = (name: string, end: string) =>
  document.cookie.split('; ').some((each) => each.startsWith(`${name}=`) && each.endsWith(end));

function keep(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${lifetime}; SameSite=Lax`;
}

/**
 * Sets `_fbc` and `_fbp` if Meta's script did not; a new click id replaces the old one
 * (developers.facebook.com/docs/marketing-api/conversions-api/parameters/fbp-and-fbc).
 */
export function setMetaCookies(): void {
  if (!adsAllowed()) return;
  const now = Date.now();
  const click = $events.get().analyticsData.fb_click_id;
  if (typeof click === 'string' && /^[\w-]+$/.test(click) && !has('_fbc', `.${click}`)) {
    keep('_fbc', `fb.1.${now}.${click}`);
  }
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  if (!has('_fbp', '')) keep('_fbp', `fb.1.${now}.${random}`);
}
