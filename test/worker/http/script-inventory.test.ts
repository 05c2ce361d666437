import { expect, test } from 'vitest';
import { inventory, scriptHosts, thirdPartiesOn } from '../../../worker/http/script-inventory.ts';
import { type Reason, scriptReasons } from '../../../worker/http/script-reasons.ts';
import { everyNetwork, networkNames } from '../../every-network.ts';

test('script inventory: every entry has a reason', () => {
  expect(new Set(inventory.map(({ who }) => who))).toEqual(new Set(Object.keys(scriptReasons)));
  for (const { who, kinds, sources } of inventory) {
    expect([who, scriptReasons[who].why.length > 10]).toEqual([who, true]);
    expect([who, kinds.length > 0, Object.keys(sources).length > 0]).toEqual([who, true, true]);
  }
});

test('script inventory: every host cites its vendor’s published list', () => {
  for (const { who, sources } of inventory) {
    const { published, integrity }: Reason = scriptReasons[who];
    const foreign = Object.values(sources)
      .flat()
      .some((source) => source.startsWith('https:'));
    if (foreign)
      expect([who, published]).toEqual([who, expect.stringMatching(/^https:\/\/\S+\/\S+$/)]);
    else expect([who, published, integrity]).toEqual([who, undefined, expect.any(String)]);
  }
});

test('script inventory: ad networks have the hosts of their published lists', () => {
  const hosts = (network: string, directive: 'script-src' | 'img-src' | 'connect-src') =>
    inventory
      .filter((party) => party.network === network)
      .flatMap(({ sources }) => sources[directive] ?? [])
      .map((source) => source.slice('https://'.length));
  const ads = ['www.googletagmanager.com', 'www.googleadservices.com', 'www.google.com'];
  const pagead = ['googleads.g.doubleclick.net', 'pagead2.googlesyndication.com'];
  expect(hosts('google', 'script-src').sort()).toEqual([...ads, ...pagead].sort());
  expect(hosts('google', 'img-src')).toEqual(
    expect.arrayContaining([...ads, ...pagead, 'google.com']),
  );
  expect(hosts('google', 'connect-src')).toEqual(
    expect.arrayContaining([...ads, ...pagead, 'google.com', 'ad.doubleclick.net']),
  );
  const tiktok = ['analytics.tiktok.com', 'analytics-ipv6.tiktokw.us', 'ads.tiktok.com'];
  for (const directive of ['script-src', 'img-src', 'connect-src'] as const)
    expect(hosts('tiktok', directive)).toEqual(tiktok);
  expect(hosts('heatmap', 'connect-src')).toEqual(['*.clarity.ms', 'c.bing.com']);
  expect(hosts('appsflyer', 'script-src')).toContain('websdk.appsflyersdk.com');
  expect(hosts('appsflyer', 'connect-src')).toContain('wa.appsflyersdk.com');
});

test('script inventory: no source allows every host', () => {
  const named =
    /^('self'|'unsafe-inline'|'inline-speculation-rules'|data:|https:\/\/(\*\.)?[\w-]+(\.[\w-]+)+(\/[\w/]*)?)$/;
  // Google's map needs `eval` and blobs; its frame is sandboxed and has none of our data.
  const pages = inventory.filter(({ kinds }) => !kinds.includes('map'));
  for (const { sources } of pages) {
    const { 'frame-src': frames = [], 'form-action': forms = [], ...others } = sources;
    for (const source of Object.values(others).flat()) expect(source).toMatch(named);
    // A bank's page may have any host; it runs in its own frame, and none of its scripts runs in ours.
    for (const source of [...frames, ...forms])
      if (source !== 'https:') expect(source).toMatch(named);
    expect(sources['script-src'] ?? []).not.toContain("'unsafe-inline'");
    expect(sources['script-src'] ?? []).not.toContain('data:');
  }
});

test('script inventory: payment pages have no ad network, private pages no vendor', () => {
  const networksOn = (kind: Parameters<typeof thirdPartiesOn>[0]) =>
    thirdPartiesOn(kind, everyNetwork).flatMap(({ network }) => network ?? []);
  expect(networksOn('payment')).toEqual([]);
  expect(networksOn('ordinary').sort()).toEqual(networkNames);
  expect(thirdPartiesOn('private', everyNetwork).map((party) => party.who)).toEqual([
    'this product',
  ]);
});

test('script inventory: scriptHosts lists a page’s script hosts', () => {
  expect(scriptHosts('private', everyNetwork)).toBe('');
  expect(scriptHosts('ordinary')).toBe('accounts.google.com');
  expect(scriptHosts('ordinary', { vendors: '', suffix: '', meta: '1' })).toBe(
    'accounts.google.com connect.facebook.net',
  );
  expect(scriptHosts('payment')).toBe(
    'js.stripe.com *.js.stripe.com js.braintreegateway.com *.cardinalcommerce.com ' +
      '*.cardinaltrusted.com *.paypal.com www.paypalobjects.com pay.google.com',
  );
});
