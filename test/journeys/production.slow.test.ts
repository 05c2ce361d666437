import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { full, journey } from './run-journey.ts';

/** Strings that exist in the fakes only. */
const ofTheFakes = [
  'test/fakes',
  'createFakes',
  'stripeAssets',
  '3D Secure 2 Test Page',
  '__privateStripeFrame',
  '__challenge/',
  'the fake Stripe.js',
  'has no fake for',
  'the Google fake',
  'gsi/credential',
  'Unrecognized request URL',
  // Stripe's own test card `pm_card_visa` is not included, because the synthetic visitor pays with it in test mode.
];

it('production: the build contains no code of the fakes', () => {
  const files = readdirSync('dist', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  expect(files.some((file) => file.includes('/static/js/loader.'))).toBe(true);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'latin1');
    return ofTheFakes.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});

const production = journey.extend('vars', { scope: 'file' }, { ENVIRONMENT: 'production' });
const screens = full
  ? ['', 'searching', 'signup', 'checkout_v3_tr', 'upsell_an_private', 'success']
  : ['checkout_v3_tr'];

for (const screen of screens) {
  production(`production: /${screen} shows no test content`, async ({ visitor, server }) => {
    const html = await (await fetch(`${server.url}/${screen}?theme=fo`)).text();
    expect(html).not.toMatch(/test mode|data-test|4242\s4242|\/fakes|data-theme="found"/i);
    await visitor.open(`/${screen}`);
    await visitor.waitLive('toast');
    expect(await visitor.page.locator('main').textContent()).not.toMatch(/test mode|4242\s4242/i);
  });
}

production(
  'production: assets are cached forever, unhashed files for a day',
  async ({ server }) => {
    const loader = readdirSync('dist/client/static/js').find((file) => file.startsWith('loader.'));
    const kept = async (path: string) =>
      (await fetch(server.url + path)).headers.get('cache-control');
    expect(await kept(`/static/js/${loader}`)).toBe('public, max-age=31536000, immutable');
    expect(await kept('/favicon.svg')).toBe('public, max-age=86400');
    const { headers } = await fetch(`${server.url}/static/js/${loader}`);
    expect(headers.get('strict-transport-security')).toMatch(/max-age=63072000/);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const missing = ['/.vite/manifest.json', `/static/js/${loader}.map`, '/.dev.vars', '/edge/x'];
    // Files that a deploy has not uploaded yet: a cached 404 would hide them permanently.
    missing.push('/static/js/none.js', '/images/none.svg', '/areas/none.json', '/static/');
    for (const path of missing) {
      const { status, headers: responseHeaders } = await fetch(server.url + path);
      expect([path, status, responseHeaders.get('cache-control')]).toEqual([
        path,
        404,
        'private, no-cache',
      ]);
    }
  },
);
