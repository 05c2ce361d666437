import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

const stopPrerendering = vi.hoisted(() => vi.fn());
vi.mock('../../../../islands/runtime/navigation/prerender-page.ts', () => ({ stopPrerendering }));

const listen = vi.fn<(type: string, listener: () => void) => void>();

beforeEach(() => {
  vi.resetModules();
  listen.mockClear();
  vi.stubGlobal('addEventListener', listen);
});
const open = async () => ({
  ...(await import('../../../../islands/stores/consent.ts')),
  ...(await import('../../../../islands/runtime/storage/consent-choice.ts')),
  ...(await import('../../../../islands/runtime/storage/state-storage.ts')),
});

it.each([
  ['', true, null, true],
  ['', false, null, false],
  ['lng=de; consent=3.no', true, 'no', false],
  ['consent=3.yes; b=2', true, 'yes', false],
])(
  'consent: with the cookies %j, where the law requires a choice (%s)',
  async (cookie, consentRequired, choice, bannerOpen) => {
    fakeBrowser({ cookie });
    const { $consent, startConsent, reopenBanner: askAgain } = await open();
    startConsent(consentRequired);
    expect($consent.get()).toEqual({ choice, bannerOpen });
    askAgain();
    expect($consent.get()).toEqual({ choice, bannerOpen: true });
  },
);

it('consent: if the server refuses a choice the question stays open', async () => {
  fakeBrowser();
  const answers = [Promise.reject(new TypeError('offline')), Response.json({ data: {} })];
  const requests: unknown[] = [];
  vi.stubGlobal('fetch', (url: string, { body }: RequestInit) => {
    requests.push([url, body]);
    return answers.shift();
  });
  const { $consent, startConsent, saveChoice } = await open();
  startConsent(true);
  await expect(saveChoice('yes')).rejects.toThrow('offline');
  expect($consent.get()).toEqual({ choice: null, bannerOpen: true });
  expect(stopPrerendering).not.toHaveBeenCalled();
  await saveChoice('yes');
  expect(stopPrerendering).toHaveBeenCalledOnce();
  expect($consent.get()).toEqual({ choice: 'yes', bannerOpen: false });
  expect(requests).toEqual(Array(2).fill(['/api/v1/consent', '{"choice":"yes"}']));
});

it.each([
  ['a yes that has lapsed', '', { storage: 'memory' }, []],
  ['a yes that counts', 'consent=3.yes', { storage: 'memory' }, ['funnel:1:plans']],
  ['a country that does not ask', '', {}, ['funnel:1:plans']],
])('consent: after %s, storage contains only allowed data', async (_, cookie, main, keys) => {
  const local = new Map([['funnel:1:plans', JSON.stringify({ plan: 'monthly_usd' })]]);
  fakeBrowser({ cookie, main: main as Record<string, string>, local, session: new Map() });
  const { startConsent, readSlice } = await open();
  startConsent(true);
  expect([...local.keys()]).toEqual(keys);
  expect(readSlice('plans')).toEqual({ plan: 'monthly_usd' });
});

it.each([
  [
    'consent moves memory into storage',
    '',
    'userUuid=u; consent=3.yes',
    [['funnel:1:plans', 'funnel:1:signup', 'other'], ['access_token']],
  ],
  [
    'refusal moves all but the session out and deletes foreign entries',
    'consent=3.yes',
    'consent=3.no',
    [[], ['access_token']],
  ],
])('consent: %s', async (_, before, after, keys) => {
  const local = new Map([['other', 'theirs']]);
  const session = new Map<string, string>();
  const { document } = fakeBrowser({ local, session, main: { storage: 'memory' }, cookie: before });
  const { writeSlice, readSlice, startConsent, saveChoice } = await open();
  writeSlice('plans', { plan: 'monthly_usd' });
  writeSlice('signup', { email: 'a@b.co', token: 'secret' });
  document.cookie = after;
  startConsent(true);
  vi.stubGlobal('fetch', async () => Response.json({}));
  await saveChoice('yes');
  expect([[...local.keys()].sort(), [...session.keys()]]).toEqual(keys);
  expect(readSlice('signup').token).toBe('secret');
});

it.each([
  ['', { depth: 2, kept: [['funnel:1:signup', expect.stringContaining('a@b.co')]] }],
  ['consent=3.yes', { depth: 2 }],
])(
  'consent: with the cookie %j, after a reload the history entry gives %j',
  async (cookie, state) => {
    fakeBrowser({ cookie, main: { storage: 'memory' } });
    const history = { state: { depth: 2 }, replaceState: (next: never) => (history.state = next) };
    vi.stubGlobal('history', history);
    const { writeSlice, startConsent } = await open();
    writeSlice('signup', { email: 'a@b.co', token: 'secret' });
    startConsent(true);
    listen.mock.lastCall?.[1]();
    expect(listen.mock.calls.map(([type]) => type)).toEqual(['beforeunload', 'focusout']);
    expect(history.state).toEqual(state);
  },
);

it('consent: tolerates blocked storage', async () => {
  fakeBrowser({ storage: 'blocked', cookie: 'consent=3.no' });
  const { writeSlice, readSlice, startConsent } = await open();
  writeSlice('plans', { plan: 'monthly_usd' });
  startConsent(true);
  expect(readSlice('plans')).toMatchObject({ plan: 'monthly_usd' });
});

/** Refuses consent in a browser at this host; returns the written cookies, and the remaining data. */
async function refuse(hostname: string, cookie: string) {
  const written: string[] = [];
  const local = new Map([['_cltk', 'theirs']]);
  const session = new Map([['_clck', 'theirs']]);
  for (const kept of [local, session]) kept.set('__paypal_storage__', '{}');
  const { document } = fakeBrowser({ local, session, main: { storage: 'memory' } });
  vi.stubGlobal('location', { hostname });
  Object.defineProperty(document, 'cookie', {
    get: () => cookie,
    set: (each: string) => void written.push(each),
  });
  const { startConsent } = await open();
  startConsent(true);
  return { written, left: [...local.keys(), ...session.keys()] };
}

const needed =
  'consent=3.no; userUuid=u; lng=de; carry=c; __Host-carry=c; g_state=g; __stripe_mid=m; __stripe_sid=s';

it('consent: a refusal deletes foreign cookies on every domain, and foreign entries', async () => {
  const { written, left } = await refuse('get.a.example', `${needed}; _new_vendor=1; arm=a`);
  const domains = ['', '; Domain=get.a.example', '; Domain=a.example'];
  expect(written).toEqual(
    ['_new_vendor', 'arm'].flatMap((name) =>
      domains.map((domain) => `${name}=; Max-Age=0; Path=/${domain}`),
    ),
  );
  expect(left).toEqual(['__paypal_storage__', '__paypal_storage__']);
});

it.each([needed, ''])('consent: a refusal keeps essential cookies: %j', async (cookie) => {
  expect((await refuse('localhost', cookie)).written).toEqual([]);
});
