import type { ClickId } from '../../http/query-allowlist.ts';

export function deviceOf(userAgent: string): string {
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios';
  if (/android/i.test(userAgent)) return 'android';
  return /windows|macintosh|linux|cros/i.test(userAgent) ? 'desktop' : 'other';
}

interface Traffic {
  /** Who sold the visit, such as `meta`. */
  network: string;
  /** Where the network showed the ad, such as `instagram`; empty if the name does not tell. */
  placement: string;
}

/** A closed list, so that a URL cannot introduce new values; R2 has the original `utm_source`. */
export const sources: readonly [network: string, placement: string, names: RegExp][] = [
  ['meta', 'facebook', /^(facebook|fb(ads?)?(?![a-z]))/],
  ['meta', 'instagram', /^(instagram|(ig|insta)(ads?)?(?![a-z]))/],
  ['meta', 'messenger', /^(messenger|msg(ads?)?(?![a-z]))/],
  ['meta', 'threads', /^threads(ads?)?(?![a-z])/],
  ['meta', 'audience_network', /^(audience_?network|an(ads?)?(?![a-z]))/],
  ['meta', '', /^(fbig|meta)(ads?)?(?![a-z])/],
  ['google', 'youtube', /^(youtube|yt(ads?)?(?![a-z]))/],
  ['google', 'display', /^(doubleclick|(gdn|dv360)(ads?)?(?![a-z]))/],
  ['google', '', /^(google|adwords|(gads?|sa360)(ads?)?(?![a-z]))/],
  ['tiktok', '', /^(tik[\W_]?tok|(tt|ttads?)(?![a-z]))/],
  ['bing', '', /^(bing|microsoft|ms)(ads?)?(?![a-z])/],
  ['snapchat', '', /^(snapchat|snap(ads?)?(?![a-z]))/],
  ['x', '', /^(twitter|x(ads?)?(?![a-z]))/],
  ['pinterest', '', /^(pinterest|pin(ads?)?(?![a-z]))/],
  ['reddit', '', /^reddit(ads?)?(?![a-z])/],
  ['apple', '', /^(apple|asa)(searchads?|search|ads?)?(?![a-z])/],
  ['native', '', /^(taboola|outbrain|mgid)/],
  ['email', '', /^(newsletter|(e[-_]?mails?|crm)(?![a-z]))/],
];

const distinct = (all: readonly string[]) => [...new Set(all)];

export const networks = [...distinct(sources.map(([network]) => network)), 'other'];
export const placements = distinct(sources.flatMap(([, placement]) => placement || []));

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
export function trafficOf(query: Readonly<Record<string, string>>): Traffic {
  const { utm_source } = query;
  const clicked = Object.entries(networkOf).find(([name]) => query[name])?.[1];
  const names = utm_source ? namesIn(utm_source) : [];
  const known = sources.find(([, , is]) => names.some((name) => is.test(name)));
  if (known) return { network: known[0], placement: known[1] };
  return { network: clicked ?? (utm_source ? 'other' : ''), placement: '' };
}

export const sourceOf = (query: Readonly<Record<string, string>>): string =>
  trafficOf(query).network;
