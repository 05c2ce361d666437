import type { ClickId } from '../../http/query-allowlist.ts';

export function deviceOf(userAgent: string): string {
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios';
  if (/android/i.test(userAgent)) return 'android';
  return /windows|macintosh|linux|cros/i.test(userAgent) ? 'desktop' : 'other';
}

/** A closed list, so that a URL cannot introduce new values; R2 has the original `utm_source`. */
const sources: readonly [source: string, names: RegExp][] = [
  [
    'meta',
    /^(facebook|instagram|messenger|audience_?network|(fb|fbig|ig|insta|meta|threads|msg|an)(ads?)?(?![a-z]))/,
  ],
  ['google', /^(google|adwords|youtube|doubleclick|(gdn|gads?|yt|dv360|sa360)(ads?)?(?![a-z]))/],
  ['tiktok', /^(tik[\W_]?tok|(tt|ttads?)(?![a-z]))/],
  ['bing', /^(bing|microsoft|ms)(ads?)?(?![a-z])/],
  ['snapchat', /^(snapchat|snap(ads?)?(?![a-z]))/],
  ['x', /^(twitter|x(ads?)?(?![a-z]))/],
  ['pinterest', /^(pinterest|pin(ads?)?(?![a-z]))/],
  ['reddit', /^reddit(ads?)?(?![a-z])/],
  ['apple', /^(apple|asa)(searchads?|search|ads?)?(?![a-z])/],
  ['native', /^(taboola|outbrain|mgid)/],
  ['email', /^(newsletter|(e[-_]?mails?|crm)(?![a-z]))/],
];

const networkOf: Readonly<Record<ClickId, string>> = {
  fbclid: 'meta',
  gclid: 'google',
  gbraid: 'google',
  wbraid: 'google',
  ttclid: 'tiktok',
};

/** Hosts that do not name their network. */
const shortHosts: Readonly<Record<string, string>> = {
  't.co': 'x',
  'youtu.be': 'youtube',
  'g.co': 'google',
};

/** What the name begins with, without words for paid traffic; of a host such as `m.facebook.com`, every label. */
function namesIn(source: string): string[] {
  const name = source
    .toLowerCase()
    .trim()
    .replace(/^[a-z-]+:\/\//, '');
  if (/^[a-z\d-]+(\.[a-z\d-]+)+(\/|$)/.test(name)) {
    const host = name.replace(/\/.*/, '');
    return shortHosts[host] ? [shortHosts[host]] : host.split('.');
  }
  return [name.replace(/^((paid|ads?|cpc|ppc|sem|social)[\W_]+)+/, '')];
}

/** Empty for a visit without a campaign. @param query allowed parameters of the page's URL */
export function sourceOf(query: Readonly<Record<string, string>>): string {
  const { utm_source } = query;
  const clicked = Object.entries(networkOf).find(([name]) => query[name])?.[1];
  if (!utm_source) return clicked ?? '';
  const names = namesIn(utm_source);
  return sources.find(([, is]) => names.some((name) => is.test(name)))?.[0] ?? clicked ?? 'other';
}
