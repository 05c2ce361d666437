import type { ClickId } from '../../../worker/http/query-allowlist.ts';
import type { ReceivedAttribution } from '../../../worker/visitor/attribution.ts';
import { $events, mergeAnalyticsData } from '../../stores/events.ts';

type Attribution = ReceivedAttribution & Required<Pick<ReceivedAttribution, 'user_data'>>;

export type ClickTimes = Record<string, number>;

const maxLength = 512;

const clickIdFields = {
  fbclid: 'fb_click_id',
  ttclid: 'tt_click_id',
  gclid: 'google_click_id',
  gbraid: 'gbraid',
  wbraid: 'wbraid',
} as const satisfies Record<ClickId, keyof Attribution['user_data']>;

/** No network attributes an older click. */
const maxClickAgeMs = 90 * 24 * 60 * 60 * 1000;

function cookie(name: string, cookies: string): string | undefined {
  const found = cookies.split('; ').find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1, name.length + 1 + maxLength) || undefined;
}

const clientOf = (ga: string | undefined) => ga?.split('.').slice(-2).join('.');

export function recordAttribution(search: string): void {
  const query = new URLSearchParams(search);
  const known = $events.get().analyticsData;
  const times = (known.clicked_at ?? {}) as ClickTimes;
  const recorded: Record<string, unknown> = {};
  const clicked_at = { ...times };
  for (const [parameter, field] of Object.entries(clickIdFields)) {
    const value = query.get(parameter)?.slice(0, maxLength);
    // The query stays in the URL for the whole visit and in bookmarks, so a click is seen many times.
    if (!value || (known[field] === value && times[field])) continue;
    recorded[field] = value;
    clicked_at[field] = Date.now();
    recorded.clicked_at = clicked_at;
  }
  const domain = query.get('appDomain');
  if (domain) recorded.source_url = encodeURIComponent(domain.slice(0, maxLength));
  if (Object.keys(recorded).length > 0) mergeAnalyticsData(recorded);
}

export const campaign = (search: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name]) => /^utm_/.test(name)));

export function adCookies(cookies = document.cookie) {
  return {
    appsflyer_id: cookie('afUserId', cookies),
    google_tracking_id: cookie('publicid_giaid', cookies),
    google_client_id: clientOf(cookie('_ga', cookies)),
    fbc: cookie('_fbc', cookies),
    fbp: cookie('_fbp', cookies),
    ttp: cookie('_ttp', cookies),
  };
}

/** What is known of clicks and vendors' cookies, without clicks that are too old. */
function recentData(): Record<string, unknown> {
  const data = { ...$events.get().analyticsData };
  const times = (data.clicked_at ?? {}) as ClickTimes;
  for (const [field, at] of Object.entries(times)) {
    if (Date.now() - at > maxClickAgeMs) delete data[field];
  }
  return data;
}

/** The click on a Meta ad; null without one. A click without a time was recorded by an earlier version. */
export function metaClick(): { id: string; at: number; leftSeconds: number } | null {
  const { fb_click_id: id, clicked_at } = recentData();
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) return null;
  const now = Date.now();
  const at = Math.min((clicked_at as ClickTimes | undefined)?.fb_click_id ?? now, now);
  return { id, at, leftSeconds: Math.ceil((at + maxClickAgeMs - now) / 1000) };
}

export function attribution(cookies = document.cookie): Attribution {
  const known = Object.entries(adCookies(cookies)).filter(([, value]) => value);
  const { appsflyer_id, google_tracking_id, google_client_id, clicked_at, ...user_data } = {
    ...recentData(),
    ...Object.fromEntries(known),
  } as Omit<Attribution, 'user_data'> & Attribution['user_data'];
  return { appsflyer_id, google_tracking_id, google_client_id, clicked_at, user_data };
}
