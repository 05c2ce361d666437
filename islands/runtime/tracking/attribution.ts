import { $events, mergeAnalyticsData } from '../../stores/events.ts';

/** What ad networks and measuring services know a visitor by; nothing that names a person. */
export interface Attribution {
  appsflyer_id?: string;
  google_tracking_id?: string;
  google_client_id?: string;
  user_data: {
    fbc?: string;
    fbp?: string;
    fb_click_id?: string;
    ttp?: string;
    tt_click_id?: string;
    /** The app domain of the ad, encoded. */
    source_url?: string;
    google_click_id?: string;
  };
}

const longest = 512;

/** The parameters of the ad that led here; the latest ad counts. */
const marks = {
  fbclid: 'fb_click_id',
  ttclid: 'tt_click_id',
  gclid: 'google_click_id',
} as const;

/** The value of a cookie, or undefined. */
function cookie(name: string, cookies: string): string | undefined {
  const found = cookies.split('; ').find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1, name.length + 1 + longest) || undefined;
}

/** `GA1.1.123.456` names the browser `123.456`. */
const clientOf = (ga: string | undefined) => ga?.split('.').slice(-2).join('.');

/** Notes what the address says of the ad, over what an earlier address said. */
export function recordAttribution(search: string): void {
  const query = new URLSearchParams(search);
  const noted: Record<string, string> = {};
  for (const [parameter, field] of Object.entries(marks)) {
    const value = query.get(parameter);
    if (value) noted[field] = value.slice(0, longest);
  }
  const domain = query.get('appDomain');
  if (domain) noted.source_url = encodeURIComponent(domain.slice(0, longest));
  if (Object.keys(noted).length > 0) mergeAnalyticsData(noted);
}

/** The campaign that the address names. */
export const campaign = (search: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name]) => /^utm_/.test(name)));

/** What the networks' cookies say now. */
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

/** Who sent the visitor, by address and cookies, as far as both are or were known. */
export function attribution(cookies = document.cookie): Attribution {
  const known = Object.entries(adCookies(cookies)).filter(([, value]) => value);
  const { appsflyer_id, google_tracking_id, google_client_id, ...user_data } = {
    ...$events.get().analyticsData,
    ...Object.fromEntries(known),
  } as Omit<Attribution, 'user_data'> & Attribution['user_data'];
  return { appsflyer_id, google_tracking_id, google_client_id, user_data };
}
