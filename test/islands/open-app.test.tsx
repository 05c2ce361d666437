import { expect, it } from 'vitest';
import { AppStores, OpenOnPhone } from '../../islands/app-link/app-stores.tsx';
import OpenApp from '../../islands/open-app.tsx';
import { text as all, htmlOf, wordsOf } from './render-html.tsx';

const text = { ...all['open-app'], missing: all['sign-in-link'].missing };
const none = { apple: '', google: '', scheme: '' };
const stores = {
  apple: 'https://apps.apple.com/app/id1',
  google: 'https://play.google.com/store/apps/details?id=x',
  scheme: 'family',
};
const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

it('app link page: is the same for everyone before device and link are known', () => {
  const html = htmlOf(<OpenApp text={text} request={all['my-account']} hint="" stores={stores} />);
  expect(wordsOf(html)).toBe('Checking your link Email me a new one');
  expect(linksIn(html)).toEqual([]);
});

it.each([
  ['apple', [stores.apple]],
  ['google', [stores.google]],
  ['desktop', [stores.apple, stores.google]],
] as const)('app link page: %s gets its own store', (platform, hrefs) => {
  expect(linksIn(htmlOf(<AppStores text={text} stores={stores} platform={platform} />))).toEqual(
    hrefs,
  );
});

it.each(['apple', 'google', 'desktop'] as const)(
  'app link page: says that %s has no store',
  (platform) => {
    const html = htmlOf(<AppStores text={text} stores={none} platform={platform} />);
    expect([linksIn(html), wordsOf(html)]).toEqual([[], expect.stringContaining('set yet')]);
  },
);

it('app link page: offers the app only when its URL scheme is configured', () => {
  const on = (known: typeof stores) =>
    wordsOf(htmlOf(<OpenOnPhone text={text} stores={known} platform="apple" onOpen={() => {}} />));
  expect(on(stores)).toMatch(/^Open the app .* Then come back/);
  expect(on({ ...stores, scheme: '' })).toMatch(/^Get the app .* Then open this link again/);
});
