export function deviceOf(userAgent: string): string {
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios';
  if (/android/i.test(userAgent)) return 'android';
  return /windows|macintosh|linux|cros/i.test(userAgent) ? 'desktop' : 'other';
}

/** A closed list, so that a URL cannot introduce new values; R2 has the original `utm_source`. */
const sources: readonly [source: string, names: RegExp][] = [
  ['meta', /^(fb|facebook|ig|instagram|meta|threads|audience_?network)\b/],
  ['google', /^(google|adwords|youtube|gdn)\b/],
  ['tiktok', /^(tiktok|tt)\b/],
  ['bing', /^(bing|microsoft)\b/],
  ['snapchat', /^snap(chat)?\b/],
  ['x', /^(x|twitter)\b/],
  ['pinterest', /^pinterest\b/],
  ['reddit', /^reddit\b/],
  ['apple', /^(apple|asa)\b/],
  ['native', /^(taboola|outbrain|mgid)\b/],
  ['email', /^(e-?mail|newsletter|crm)\b/],
];

const clickIds = [
  ['fbclid', 'meta'],
  ['gclid', 'google'],
  ['ttclid', 'tiktok'],
] as const;

/** Empty for a visit without a campaign. @param query allowed parameters of the page's URL */
export function sourceOf(query: Readonly<Record<string, string>>): string {
  const { utm_source } = query;
  if (!utm_source) return clickIds.find(([name]) => query[name])?.[1] ?? '';
  const name = utm_source.toLowerCase();
  return sources.find(([, names]) => names.test(name))?.[0] ?? 'other';
}
