import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import type { CountInput } from '../../../worker/analytics/rules/count.ts';
import { browserCookies } from '../accounts/browser.ts';
import { recordingQueue } from '../queue.ts';
import { post, request } from '../request.ts';

beforeAll(async () => {
  const config = {
    experiment: 'prices',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', '{"flows":{},"aliases":{"spring":"one_pager_ai"}}');
});
const browser = { 'user-agent': 'Mozilla/5.0 (iPhone)', 'accept-language': 'en' };
const german = { 'cf-ipcountry': 'DE' };

async function visit(path: string, headers: Record<string, string> = {}) {
  const { sent, queue } = recordingQueue();
  const response = await request(
    path,
    { headers: { ...browser, ...headers } },
    { EXPOSURE_QUEUE: queue },
  );
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  const landings = (sent as CountInput[]).map(({ slice }) => slice.landing);
  return { landings, cookies, cookie: cookies.join('; ') };
}

test.each([
  ['/', 'one_pager'],
  ['/one_pager', 'one_pager'],
  ['/one_pager_ai', 'direct:one_pager_ai'],
  ['/spring', 'direct:one_pager_ai'],
  ['/signup', 'direct:signup'],
])('landing: a visitor who opens %s first is counted with %s', async (path, landing) => {
  const { landings, cookies } = await visit(path);
  expect([landings, cookies.filter((cookie) => cookie.startsWith('landing='))]).toEqual([
    [landing],
    [`landing=${encodeURIComponent(landing)}`],
  ]);
  // Before consent it is counted, too, but no cookie is set.
  const asked = await visit(path, german);
  expect([asked.landings, asked.cookies.join()]).toEqual([
    [landing],
    expect.not.stringContaining('landing'),
  ]);
});

test('landing: a new experiment counts the visitor with the screen that it showed first', async () => {
  const { cookie } = await visit('/one_pager_ai');
  const again = await visit('/', { cookie: cookie.replace('arm=prices', 'arm=older') });
  expect([again.landings, again.cookies]).toEqual([
    ['one_pager'],
    expect.arrayContaining(['landing=one_pager']),
  ]);
});

/** The landing with which a sign-up is counted. */
async function signedUpWith(headers: Record<string, string>): Promise<string | undefined> {
  const { sent, queue } = recordingQueue();
  const { uuid, cookie } = browserCookies();
  const body = {
    email: `${crypto.randomUUID()}@example.com`,
    user_uuid: uuid,
    landing_type: 'split_fullPrice',
  };
  const all = { ...browser, ...headers, cookie: `${cookie}; ${headers.cookie ?? ''}` };
  expect((await post('/signup', body, all, { EVENT_QUEUE: queue })).status).toBe(200);
  const [message] = sent as { counts: CountInput[] }[];
  return message?.counts[0]?.slice.landing;
}

const seen = { cookie: 'landing=one_pager' };
const sent = { 'x-landing': 'one_pager_ai' };
const refused = { ...german, cookie: 'consent=3.no; landing=one_pager' };
test.each<[string, Record<string, string>, string]>([
  ['a cookie', seen, 'one_pager'],
  ['a cookie with a direct page', { cookie: 'landing=direct%3Asignup' }, 'direct:signup'],
  ['a cookie, which wins over the browser’s memory', { ...seen, ...sent }, 'one_pager'],
  ['no cookie although one may be set', sent, ''],
  ['a cookie of before landings', { cookie: 'arm=prices%3AfullPrice' }, ''],
  ['no choice about consent', { ...german, ...sent }, 'one_pager_ai'],
  ['no choice and no memory', german, ''],
  ['a refusal, whatever cookie is left', { ...refused, ...sent }, 'one_pager_ai'],
  ['a refusal without a memory', refused, ''],
  ['a text that is no screen', { cookie: 'landing=constructor' }, ''],
  ['a memory that is no screen', { ...german, 'x-landing': 'direct:direct:signup' }, ''],
])('landing: a sign-up with %s', async (_case, headers, landing) => {
  expect(await signedUpWith(headers)).toBe(landing);
});

test('landing: consent stores what the browser remembers; a refusal deletes it', async () => {
  const choose = async (choice: string, headers: Record<string, string>) => {
    const { cookie } = browserCookies();
    const response = await post(
      '/consent',
      { choice },
      { ...browser, ...german, ...headers, cookie: `${cookie}; ${headers.cookie ?? ''}` },
    );
    return response.headers.getSetCookie().filter((each) => each.startsWith('landing='));
  };
  expect(await choose('yes', sent)).toEqual([
    'landing=one_pager_ai; Max-Age=31536000; Path=/; SameSite=Lax',
  ]);
  expect(await choose('yes', {})).toEqual([]);
  expect(await choose('no', seen)).toEqual(['landing=; Max-Age=0; Path=/']);
});
