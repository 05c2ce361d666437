import { env } from 'cloudflare:test';
import { beforeAll, expect, test, vi } from 'vitest';
import type { CountInput } from '../../../worker/analytics/rules/count.ts';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import { isBot, isPrefetch } from '../../../worker/http/bots.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { recordingQueue } from '../queue.ts';
import { post, request } from '../request.ts';
import { countsOf } from './rollups.ts';

beforeAll(async () => {
  const config = {
    experiment: 'prices',
    variants: [
      { key: 'fullPrice', weight: 50, flow: 'default' },
      { key: 'intro/7d', weight: 50, flow: 'default' },
    ],
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', builtInDocuments['flows.json']);
});
const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const browser = { 'user-agent': chrome, 'accept-language': 'en-US,en;q=0.9' };
const german = { ...browser, 'cf-ipcountry': 'DE' };

/** The exposures counted by a request, and the cookies that it set. */
async function visit(path: string, headers: Record<string, string> = browser, method = 'GET') {
  const { sent, queue: EXPOSURE_QUEUE } = recordingQueue<CountInput>();
  const response = await request(path, { method, headers }, { EXPOSURE_QUEUE });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  return { sent, status: response.status, cookies, cookie: cookies.join('; ') };
}

const named = (cookies: string[], name: string) =>
  cookies.find((cookie) => cookie.startsWith(`${name}=`));
test('exposure: a visitor is counted once, with the response that sets the arm', async () => {
  const first = await visit('/one_pager');
  const arm = decodeURIComponent(named(first.cookies, 'arm')?.slice(4) ?? '').split(/[:.]/)[1];
  expect(first.sent).toEqual([
    {
      id: expect.any(String),
      at: expect.closeTo(Date.now(), -4),
      step: 'exposure',
      slice: {
        flow: 'default',
        experiment: 'prices',
        variant: arm,
        country: 'US',
        language: 'en',
        device: 'android',
        source: '',
        landing: 'one_pager',
      },
      version: expect.any(String),
    },
  ]);
  for (const path of ['/searching', '/one_pager', '/']) {
    const again = await visit(path, { ...browser, cookie: first.cookie });
    expect([again.sent, again.cookies]).toEqual([[], []]);
  }
});

test('exposure: a new experiment, or a removed arm, counts again', async () => {
  const { cookies } = await visit('/');
  const uuid = named(cookies, 'userUuid');
  for (const arm of ['older%3AfullPrice', 'prices%3Aintro%2F3d', 'nonsense']) {
    const again = await visit('/', { ...browser, cookie: `${uuid}; arm=${arm}` });
    expect(again.sent).toHaveLength(1);
    expect(named(again.cookies, 'arm')).toBe(named(cookies, 'arm'));
  }
});

test('exposure: a prefetched page is requested again if it counts the visitor, or a cookie changes', async () => {
  const { cookie } = await visit('/');
  const ahead = async (path: string, known: string, more = {}) => {
    const headers = { ...browser, cookie: known, 'x-purpose': 'prefetch', ...more };
    const response = await request(path, { headers });
    return [response.headers.get('cache-control'), response.headers.get('vary')];
  };
  const again = ['private, no-cache', null];
  expect(await ahead('/checkout_v3_tr', cookie)).toEqual(['private, max-age=60', 'Cookie']);
  expect((await ahead('/success', cookie))[0]).toBe('no-store');
  expect(await ahead('/nowhere', cookie)).toEqual(again);
  expect(await ahead('/checkout_v3_tr', '')).toEqual(again);
  const other = cookie.replace('arm=prices', 'arm=older');
  expect(other).not.toBe(cookie);
  expect(await ahead('/checkout_v3_tr', other)).toEqual(again);
});

test('exposure: a prefetch counts nothing and sets no cookie', async () => {
  for (const [name, value] of [
    ['sec-purpose', 'prefetch;prerender'],
    ['x-purpose', 'prefetch'],
  ] as const) {
    const early = await visit('/one_pager', { ...browser, [name]: value });
    expect(early).toMatchObject({ status: 200, sent: [], cookies: [] });
  }
  expect((await visit('/one_pager')).sent).toHaveLength(1);
});

test.each([
  ['an unknown address', '/nothing_here', 'GET'],
  ['a document', '/config.json', 'GET'],
  ['an API call', '/api/v1/users/me/payments-settings', 'GET'],
  ['a look at the headers', '/one_pager', 'HEAD'],
  ['a form', '/searching', 'POST'],
  ['a visitor who leaves the test out', '/?skip_split=true', 'GET'],
])('exposure: %s counts nothing and sets no arm', async (_what, path, method) => {
  const { sent, cookies } = await visit(path, browser, method);
  expect([sent, named(cookies, 'arm')]).toEqual([[], undefined]);
});

test('exposure: bots are not counted', async () => {
  const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  expect((await visit('/', { ...browser, 'user-agent': google })).sent).toEqual([]);
  expect((await visit('/', { 'user-agent': chrome })).sent).toEqual([]);
  expect((await visit('/', { ...browser, 'user-agent': 'curl/8.9.1' })).sent).toEqual([]);
});

test('exposure: visitors of the same moment are counted by one call, each once', async () => {
  const calls: CountInput[][] = [];
  const EXPOSURE_QUEUE = {
    sendBatch: async (batch: { body: CountInput }[]) =>
      void calls.push(batch.map(({ body }) => body)),
  } as never;
  const visitors = Array.from({ length: 130 }, () =>
    request('/one_pager', { headers: browser }, { EXPOSURE_QUEUE }),
  );
  for (const response of await Promise.all(visitors)) expect(response.status).toBe(200);
  expect(new Set(calls.flat().map(({ id }) => id)).size).toBe(130);
  expect(calls.flat()).toHaveLength(130);
  expect(calls.length).toBeLessThan(20);
  for (const call of calls) expect(call.length).toBeLessThanOrEqual(100);
});

test('exposure: without consent the session is counted once and no cookie is set', async () => {
  const early = await visit('/', { ...german, 'x-purpose': 'prefetch' });
  expect([early.sent, early.cookies]).toEqual([[], []]);
  const first = await visit('/', german);
  expect(first.sent).toHaveLength(1);
  expect(first.cookies).toEqual([
    named(first.cookies, 'userUuid'),
    named(first.cookies, 'visitorKey'),
  ]);
  const again = await visit('/searching', { ...german, cookie: first.cookie });
  // The id is written again, so that it ends with the session, whoever wrote it before.
  expect([again.sent, again.cookies]).toEqual([[], first.cookies]);
});

test('exposure: the account stores the experiment and arm that were shown', async () => {
  const { sent, cookie } = await visit('/');
  const fields = { email: 'arm@example.com', user_uuid: crypto.randomUUID(), landing_type: 'x' };
  expect((await post('/signup', fields, { cookie })).status).toBe(200);
  const row = await env.DB.prepare('SELECT experiment, arm FROM accounts WHERE email_key = ?')
    .bind('arm@example.com')
    .first();
  expect(row).toEqual({ experiment: 'prices', arm: sent[0]?.slice.variant });
});

test.each<[string, unknown]>([
  ['refuses', { sendBatch: () => Promise.reject(new Error('overloaded')) }],
  [
    'throws',
    {
      sendBatch: () => {
        throw new Error('gone');
      },
    },
  ],
  ['is not bound', undefined],
])(
  'exposure: if the queue %s its shard counts the exposure directly; only without the shard it is lost',
  async (_, queue) => {
    const logged = ['warn', 'error'] as const;
    const [warn, error] = logged.map((level) => vi.spyOn(console, level).mockReturnValue());
    const visitors = async () =>
      Object.values(await countsOf('exposure', 'prices')).reduce((sum, n) => sum + n, 0);
    const before = await visitors();
    const stub = { append: () => Promise.reject(new Error('down')) };
    for (const more of [{}, { EVENT_SHARDS: { getByName: () => stub } }]) {
      const bindings = { EXPOSURE_QUEUE: queue, ...more } as never as Partial<Env>;
      const response = await request('/one_pager', { headers: browser }, bindings);
      expect([response.status, (await response.text()).includes('<h1')]).toEqual([200, true]);
    }
    expect(await visitors()).toBe(before + 1);
    // Whatever else the isolate logs meanwhile is no matter of exposures.
    const events = [warn, error].map((spy) =>
      (spy?.mock.calls ?? []).flatMap(
        (line) => String(line).match(/"event":"(exposure_\w+)"/)?.[1] ?? [],
      ),
    );
    expect(events).toEqual([['exposure_queue_fallback'], ['exposure_enqueue_failed']]);
  },
);
test.each([
  ['Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 Chrome/120 Mobile', false],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) [FBAN/FBIOS;FBAV/500.0]', false],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', true],
  ['AdsBot-Google (+http://www.google.com/adsbot.html)', true],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', true],
  ['Mozilla/5.0 AppleWebKit/537.36 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', true],
  ['WhatsApp/2.23.20.0', true],
  ['python-requests/2.32', true],
])('exposure: %s is a bot: %s', (agent, bot) => {
  const headers = { 'user-agent': agent, 'accept-language': 'en' };
  expect(isBot(new Request('https://funnel.example/', { headers }))).toBe(bot);
});

const agents = {
  'headless browsers': [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessEdg/120.0.0.0',
    'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
    'Mozilla/5.0 (Linux; Android 11; moto g power) AppleWebKit/537.36 Chrome/114 Mobile Safari/537.36 Chrome-Lighthouse',
  ],
  'link previews': [
    'Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'WhatsApp/2.2023.1 N',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'Viber/12.8.0.1 CFNetwork/1121.2.2 Darwin/19.3.0',
    'facebookexternalhit/1.1;kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
    'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian',
    'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
    'Bluesky Cardyb/1.1; +mailto:support@bsky.app',
    'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/)',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.4266; Pro)',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  ],
  crawlers: [
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 Mobile Safari/537.36 (compatible; Bytespider)',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) Chrome/99 Mobile Safari/537.36 (compatible; Google-InspectionTool/1.0;)',
    'Mozilla/5.0 (compatible; GoogleOther-Image/1.0)',
    'Mediapartners-Google',
    'Mozilla/5.0 (compatible; Yahoo! Slurp)',
  ],
};
test.each(Object.entries(agents))(
  'exposure: %s set no cookie and are not counted',
  async (_, all) => {
    for (const agent of all) {
      const headers = { 'user-agent': agent, 'accept-language': 'en' };
      expect([agent, isBot(new Request('https://funnel.example/', { headers }))]).toEqual([
        agent,
        true,
      ]);
      const { cookies, sent } = await visit('/', headers);
      expect([agent, cookies, sent]).toEqual([agent, [], []]);
    }
  },
);

test.each([
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 310.0.3.34.110',
  'Mozilla/5.0 (Linux; Android 12; SM) AppleWebKit/537.36 trill_320403 AppName/musical_ly BytedanceWebview/d8a21c6',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/21B74 Snapchat/12.60.0.42',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 GSA/290.0.577770 Mobile/15E148',
  'Mozilla/5.0 (Linux; Android 12; SM; wv) AppleWebKit/537.36 Chrome/119 Mobile Safari/537.36 Viber/21.0',
  'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/124 Mobile Safari/537.36 CamScanner/4.8.5',
  'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Version/17.4.1 Mobile/15E148 Safari/604.1 (Ecosia ios@9.2.3.1367)',
  'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.1; Trident/6.0)',
  'Mozilla/5.0 (Linux; Android 14; Google Pixel 8) AppleWebKit/537.36 Chrome/124 Mobile Safari/537.36',
  'Mozilla/5.0',
])('exposure: a person’s browser is no bot: %s', (agent) => {
  const headers = { 'user-agent': agent, 'accept-language': 'en' };
  expect(isBot(new Request('https://funnel.example/', { headers }))).toBe(false);
});

test.each([
  ['sec-purpose', 'prefetch'],
  ['sec-purpose', 'prefetch;prerender'],
  ['Sec-Purpose', 'Prefetch; anonymous-client-ip'],
  ['purpose', 'prefetch'],
  ['Purpose', 'preview'],
  ['x-purpose', 'prefetch'],
  ['X-Purpose', 'preview'],
  ['X-Moz', 'prefetch'],
])('exposure: a page with %s: %s sets no cookie and is not counted', async (name, value) => {
  const { cookies, sent } = await visit('/', { ...browser, [name]: value });
  expect([cookies, sent]).toEqual([[], []]);
});

test('exposure: other purposes are a visit', () => {
  const isPrefetchWith = (headers: Record<string, string>) =>
    isPrefetch(new Request('https://funnel.example/', { headers }));
  expect([isPrefetchWith({}), isPrefetchWith({ purpose: 'navigate' })]).toEqual([false, false]);
});
