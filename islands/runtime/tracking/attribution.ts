import { $events, mergeAnalyticsData } from '../../stores/events.ts';

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
    source_url?: string;
    google_click_id?: string;
  };
}

const maxLength = 512;

const clickIdFields = {
  fbclid: 'fb_click_id',
  ttclid: 'tt_click_id',
  gclid: 'google_click_id',
} as const;

function cookie(name: string, cookies: string): string | undefined {
  const found = cookies.split('; ').find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1, name.length + 1 + maxLength) || undefined;
}

const clientOf = (ga: string | undefined) => ga?.split('.').slice(-2).join('.');

export function recordAttribution(search: string): void {
  const query = new URLSearchParams(search);
  const recorded: Record<string, string> = {};
  for (const [parameter, field] of Object.entries(clickIdFields)) {
    const value = query.get(parameter);
    if (value) recorded[field] = value.slice(0, maxLength);
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

export function attribution(cookies = document.cookie): Attribution {
  const known = Object.entries(adCookies(cookies)).filter(([, value]) => value);
  const { appsflyer_id, google_tracking_id, google_client_id, ...user_data } = {
    ...$events.get().analyticsData,
    ...Object.fromEntries(known),
  } as Omit<Attribution, 'user_data'> & Attribution['user_data'];
  return { appsflyer_id, google_tracking_id, google_client_id, user_data };
}
