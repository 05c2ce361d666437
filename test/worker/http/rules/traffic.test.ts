import { expect, test } from 'vitest';
import {
  deviceOf,
  networks,
  placements,
  sourceOf,
  trafficOf,
} from '../../../../worker/http/rules/traffic.ts';

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'ios'],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)', 'ios'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'desktop'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'desktop'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'desktop'],
  ['', 'other'],
])('traffic: the browser %j is on a device of the kind %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

test.each([
  [{}, ''],
  [{ utm_source: 'Facebook_Mobile_Feed' }, 'meta'],
  [{ utm_source: 'FB' }, 'meta'],
  [{ utm_source: 'google-ads' }, 'google'],
  [{ utm_source: 'my-google' }, 'other'],
  [{ utm_source: 'E-Mail' }, 'email'],
  [{ utm_source: 'xing' }, 'other'],
  [{ gclid: '1' }, 'google'],
  [{ fbclid: '1', gclid: '1' }, 'meta'],
  [{ utm_source: 'tiktok', fbclid: '1' }, 'tiktok'],
  [{ fbclid: '' }, ''],
  [{ gbraid: '1' }, 'google'],
  [{ wbraid: '1' }, 'google'],
  [{ utm_source: 'my-google', fbclid: '1' }, 'meta'],
  [{ utm_source: '{{site_source_name}}', ttclid: '1' }, 'tiktok'],
  [{ utm_source: '{{site_source_name}}' }, 'other'],
])('traffic: a visit with the query %o comes from %j', (query, source) => {
  expect(sourceOf(query as Record<string, string>)).toBe(source);
});

test.each([
  [
    'meta',
    'facebook_ads|Facebook Ads|facebookads|fb_ads|FB-Ads|fbads|ig_story|instagram_stories|an|msg',
  ],
  [
    'meta',
    'm.facebook.com|l.instagram.com|lm.facebook.com|https://www.facebook.com/ads|meta_ads|fb2',
  ],
  [
    'meta',
    'paid_facebook|paid-social-facebook|threads.net|com.facebook.katana|insta|insta_story|fbig|fb_ig',
  ],
  [
    'google',
    'google_ads|googleads|GoogleAds|google.com|adwords_search|youtube_ads|m.youtube.com|gads',
  ],
  ['google', 'googleads.g.doubleclick.net|gdn_display|cpc_google|youtu.be'],
  ['tiktok', 'tiktok_ads|tiktokads|www.tiktok.com|tt_ads|TikTok-Spark|tik-tok|Tik Tok Ads|tik_tok'],
  ['bing', 'bing_ads|bingads|microsoft_ads|www.bing.com'],
  ['snapchat', 'snapchat_ads|snap_ads|www.snapchat.com'],
  ['x', 'twitter_ads|x_ads|x.com|t.co|mobile.twitter.com'],
  ['pinterest', 'pinterest_ads|pinterest.com|www.pinterest.de'],
  ['reddit', 'reddit_ads|redditads|out.reddit.com|old.reddit.com'],
  ['apple', 'apple_search_ads|applesearchads|asa_brand'],
  ['native', 'taboola_de|outbrain.com|mgid_ads'],
  ['email', 'email_blast|newsletter_2026|crm_winback|E-Mail|e_mail'],
  [
    'other',
    'metacritic|xing|xing.com|xbox|applebees|bingo|snapdeal|ananas|thread|mailchimper|pinball|instacart|tiktac',
  ],
])('traffic: campaigns of %s name their source %s', (source, names) => {
  expect(names.split('|').map((name) => [name, sourceOf({ utm_source: name })])).toEqual(
    names.split('|').map((name) => [name, source]),
  );
});

test.each([
  ['instagram_stories', 'meta', 'instagram'],
  ['IG-Ads', 'meta', 'instagram'],
  ['l.instagram.com', 'meta', 'instagram'],
  ['fb', 'meta', 'facebook'],
  ['m.facebook.com', 'meta', 'facebook'],
  ['meta_ads', 'meta', ''],
  ['fbig', 'meta', ''],
  ['threads.net', 'meta', 'threads'],
  ['an', 'meta', 'audience_network'],
  ['youtu.be', 'google', 'youtube'],
  ['yt_ads', 'google', 'youtube'],
  ['gdn_display', 'google', 'display'],
  ['google', 'google', ''],
  ['tiktok', 'tiktok', ''],
  ['my-instagram', 'other', ''],
])('traffic: utm_source %j is the network %s, placement %j', (utm_source, network, placement) => {
  expect(trafficOf({ utm_source })).toEqual({ network, placement });
  expect(networks).toContain(network);
  expect([...placements, '']).toContain(placement);
});

test('traffic: a click id tells the network and no placement', () => {
  expect(trafficOf({ fbclid: '1' })).toEqual({ network: 'meta', placement: '' });
  expect(trafficOf({})).toEqual({ network: '', placement: '' });
});
