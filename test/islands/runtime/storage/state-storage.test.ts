import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

const fresh = () => import('../../../../islands/runtime/storage/state-storage.ts');

beforeEach(() => vi.resetModules());
it('state storage: stores a slice under a version', async () => {
  const local = new Map<string, string>();
  fakeBrowser({ local });
  const { writeSlice, readSlice } = await fresh();
  writeSlice('plans', { plan: 'monthly_usd' });
  expect([...local.keys()]).toEqual(['funnel:1:plans']);
  expect(readSlice('plans')).toMatchObject({ plan: 'monthly_usd' });
});

it('state storage: unsent events and the events slice are separate, in memory too', async () => {
  fakeBrowser({ storage: 'blocked' });
  const { eventsKey, readItem: get, writeItem: put, readSlice, writeSlice } = await fresh();
  writeSlice('events', { analyticsData: { gclid: 'g' } });
  put('sessionStorage', eventsKey, '[]');
  expect(readSlice('events')).toMatchObject({ analyticsData: { gclid: 'g' } });
  writeSlice('events', {});
  expect(get('sessionStorage', eventsKey)).toBe('[]');
});

it('state storage: session secrets go to sessionStorage, payment secrets of any gateway nowhere', async () => {
  const local = new Map<string, string>();
  const session = new Map<string, string>();
  fakeBrowser({ local, session });
  const { writeSlice, readSlice } = await fresh();
  writeSlice('signup', { email: 'a@b.co', token: 'secret', btToken: 'bt', deeplinkUrl: '/d#1' });
  writeSlice('checkout', {
    id: 'sub_1',
    stripeNonce: 'pm_1',
    braintreeNonce: 'n',
    thirdNonce: 'n',
    cardholderName: 'Ada',
    paymentError: { show: true, message: 'x' },
  });
  expect(Object.fromEntries(session)).toEqual({
    access_token: 'secret',
    btToken: 'bt',
    deeplinkUrl: '/d#1',
  });
  const stored = [...local.values()].join();
  expect(stored).not.toMatch(/secret|bt"|\/d#|pm_1|Ada|paymentError|braintree/);
  expect(stored).toContain('sub_1');
  expect(readSlice('signup')).toMatchObject({ email: 'a@b.co', token: 'secret' });
});

it('state storage: the phone number of the other person expires after 24 hours', async () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  const local = new Map<string, string>();
  fakeBrowser({ local });
  const { writeSlice, readSlice } = await fresh();
  writeSlice('map', { phone: '+1 212 555 0100' });
  vi.advanceTimersByTime(24 * 60 * 60 * 1000);
  expect(readSlice('map')).toHaveProperty('phone');
  vi.advanceTimersByTime(1);
  expect(readSlice('map')).toEqual({});
  expect([...local.values()].join()).not.toContain('555');
});

it.each(['blocked', 'full'] as const)(
  'state storage: uses memory when storage is %s',
  async (storage) => {
    fakeBrowser({ storage });
    const { writeSlice, readSlice } = await fresh();
    writeSlice('signup', { email: 'a@b.co', token: 'secret' });
    expect(readSlice('signup')).toMatchObject({ email: 'a@b.co', token: 'secret' });
  },
);

it.each(['{', 'null', '"text"', '[1', '7'])(
  'state storage: corrupt storage (%s) is read as an empty slice',
  async (text) => {
    fakeBrowser({ local: new Map([['funnel:1:plans', text]]) });
    const { readSlice } = await fresh();
    expect(readSlice('plans')).not.toHaveProperty('plan');
  },
);

const session = {
  token: 'secret',
  btToken: 'braintree',
  deeplinkToken: 'link',
  deeplinkUrl: 'https://app.example/x',
  deeplinkQR: '<svg/>',
};
const sessionNames = ['access_token', 'btToken', 'deeplinkQR', 'deeplinkToken', 'deeplinkUrl'];
const slices = ['app', 'checkout', 'map', 'plans', 'signup'].map((name) => `funnel:1:${name}`);

it.each([
  ['before a choice that the law requires', '', { storage: 'memory' }, []],
  ['after a no', 'consent=3.no', {}, []],
  ['after a yes', 'consent=3.yes', { storage: 'memory' }, slices],
  ['where no choice is required', '', {}, slices],
])(
  'state storage: %s a session is stored, the rest only if allowed',
  async (_, cookie, main, kept) => {
    const local = new Map<string, string>();
    const tab = new Map<string, string>();
    fakeBrowser({ local, session: tab, cookie, main: main as Record<string, string> });
    const { writeSlice, readSlice, writeItem } = await fresh();
    for (const name of ['app', 'checkout', 'map', 'plans']) writeSlice(name, { some: name });
    writeSlice('signup', { email: 'a@b.co', token: '' });
    writeItem('sessionStorage', 'funnel:1:account', '');
    writeItem('sessionStorage', 'funnel:1:queue.early', '[1]');
    // Nobody has signed up.
    expect([...tab.keys()]).toEqual(kept.length > 0 ? ['funnel:1:queue.early'] : []);
    writeSlice('signup', { email: 'a@b.co', ...session });
    const names = [...tab.keys()].filter((key) => !key.startsWith('funnel:1:queue')).sort();
    expect([[...local.keys()].sort(), names]).toEqual([kept, sessionNames]);
    expect(readSlice('signup')).toMatchObject({ email: 'a@b.co', ...session });
    writeSlice('signup', Object.fromEntries(Object.keys(session).map((field) => [field, ''])));
    expect([...tab.keys()].filter((key) => !key.startsWith('funnel:1:queue'))).toEqual([]);
  },
);
