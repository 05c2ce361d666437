import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

const settings = '/api/v1/users/me/payments-settings';
const deeplink = '/api/v1/users/me/deeplink-qr-code';

beforeEach(() => vi.resetModules());

/** What a document requests after a sign-up, or when it opens as a payment screen. */
async function requestedOn(main: Record<string, string>, signup: object) {
  fakeBrowser({ main, local: new Map(), session: new Map() });
  const fetch = vi.fn(async (_path: string) => Response.json({ data: {} }));
  vi.stubGlobal('fetch', fetch);
  const { $signup } = await import('../../../islands/stores/signup.ts');
  $signup.set({ ...$signup.get(), ...signup });
  const { prepare, prepareOnPayment } = await import('../../../islands/account/after-signup.ts');
  if (main.kind === 'payment') prepareOnPayment();
  else prepare();
  await new Promise((done) => setTimeout(done));
  return fetch.mock.calls.map(([path]) => path);
}

it.each([
  [
    'before a screen of the same document',
    { kind: 'ordinary', nextKind: 'ordinary' },
    [settings, deeplink],
  ],
  ['before a payment screen', { kind: 'ordinary', nextKind: 'payment' }, []],
  ['on a page without a next screen', { kind: 'private' }, [settings, deeplink]],
])('after sign-up: %s, %j requests %j', async (_, main, paths) => {
  expect(await requestedOn(main, { token: 't' })).toEqual(paths);
});

it.each([
  ['an account without a link', { token: 't' }, [deeplink]],
  ['an account with its link', { token: 't', deeplinkUrl: 'https://x.example/d' }, []],
  ['nobody', {}, []],
])('payment screen: %s, %j requests %j', async (_, signup, paths) => {
  expect(await requestedOn({ kind: 'payment' }, signup)).toEqual(paths);
});
