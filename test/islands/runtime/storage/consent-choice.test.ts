import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

const store = async () => ({
  ...(await import('../../../../islands/stores/consent.ts')),
  ...(await import('../../../../islands/runtime/storage/consent-choice.ts')),
});

beforeEach(() => vi.resetModules());
afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['', true, null, true],
  ['', false, null, false],
  ['lng=de; consent=1.no', true, 'no', false],
  ['consent=1.yes; b=2', true, 'yes', false],
  ['xconsent=1.yes', true, null, true],
])(
  'consent: with the cookies %j, where the law requires a choice (%s)',
  async (cookie, asks, choice, bannerOpen) => {
    fakeBrowser({ cookie });
    const { $consent, startConsent: beginConsent, askAgain } = await store();
    beginConsent(asks);
    expect($consent.get()).toEqual({ choice, bannerOpen });
    askAgain();
    expect($consent.get()).toEqual({ choice, bannerOpen: true });
  },
);

it('consent: a choice that the server refuses leaves the question open', async () => {
  fakeBrowser();
  const answers = [Promise.reject(new TypeError('offline')), Response.json({ data: {} })];
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', (url: string, { body }: RequestInit) => {
    asked.push([url, body]);
    return answers.shift();
  });
  const { $consent, startConsent: beginConsent, saveChoice: choose } = await store();
  beginConsent(true);
  await expect(choose('yes')).rejects.toThrow('offline');
  expect($consent.get()).toEqual({ choice: null, bannerOpen: true });
  await choose('yes');
  expect($consent.get()).toEqual({ choice: 'yes', bannerOpen: false });
  expect(asked).toEqual(Array(2).fill(['/api/v1/consent', '{"choice":"yes"}']));
});

it.each([
  ['a yes that has lapsed', '', { storage: 'memory' }, []],
  ['a yes that counts', 'consent=1.yes', { storage: 'memory' }, ['funnel:1:plans']],
  ['a country that does not ask', '', {}, ['funnel:1:plans']],
])('consent: after %s, storage holds what is allowed', async (_, cookie, main, keys) => {
  const slice = JSON.stringify({ plan: 'monthly_usd' });
  const local = new Map([['funnel:1:plans', slice]]);
  fakeBrowser({ cookie, main: main as Record<string, string>, local, session: new Map() });
  const { startConsent: beginConsent } = await store();
  const { readSlice } = await import('../../../../islands/runtime/storage/state-storage.ts');
  beginConsent(true);
  expect([...local.keys()]).toEqual(keys);
  expect(readSlice('plans')).toEqual({ plan: 'monthly_usd' });
});
