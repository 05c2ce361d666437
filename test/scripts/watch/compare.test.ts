import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CommandError, PartialSuccess } from '../../../scripts/command.ts';
import { watch } from '../../../scripts/watch/watch-command.ts';
import { pageHeaders, securityHeaders } from '../../../worker/http/security-headers.ts';

const site = 'https://funnel.example';
const stripe = 'https://js.stripe.com/v3/stripe.js';
const loader = '/static/js/loader.A1.js';
const folder = mkdtempSync(join(tmpdir(), 'watch-'));
mkdirSync(join(folder, 'static/js'), { recursive: true });
writeFileSync(join(folder, loader), 'built');
afterAll(() => rmSync(folder, { recursive: true }));

const page = (body = '', kind = 'payment', screen = 'checkout_v3_tr') =>
  `<!doctype html><html><head><script type="module" src="${loader}"></script></head>` +
  `<body><main data-screen="${screen}" data-kind="${kind}"></main>${body}</body></html>`;

interface Live {
  html?: string;
  status?: number;
  headers?: Record<string, string>;
  files?: Record<string, string>;
  scripts?: string[];
  frames?: string[];
  kind?: 'ordinary' | 'payment';
  /** The path without its slash, if it is not a checkout's. */
  path?: string;
}

/** Watches a simulated checkout; returns the outcome and the printed lines. */
async function watched(live: Live = {}, around: object = {}, at = site) {
  const { kind = 'payment', html = page('', kind), status = 200, files = {} } = live;
  const { path = 'checkout_v3_tr' } = live;
  const usual = { ...securityHeaders, ...pageHeaders(kind, false, null) };
  const headers = { ...usual, 'cache-control': 'private, no-cache', ...live.headers };
  const printed: string[] = [];
  const send = async (address: string | URL | Request) => {
    const { pathname } = new URL(String(address));
    if (pathname === `/${path}`) return new Response(html, { status, headers });
    return new Response(files[pathname] ?? 'built');
  };
  const look = async () => ({ scripts: live.scripts ?? [], frames: live.frames ?? [] });
  const ended = await watch(`${at}/${path}`, {
    send: send as typeof fetch,
    look,
    folder,
    print: (line: string) => void printed.push(line),
    ...around,
  }).catch((error) => error);
  if (ended && !(ended instanceof CommandError)) throw ended;
  const different = printed.filter((line) => /^DIFFERENT|^ {2}found/.test(line)).join('\n');
  return {
    succeeded: !ended,
    isPartial: ended instanceof PartialSuccess,
    different,
    all: printed.join('\n'),
  };
}

test('watch: a deployed checkout has no differences, and each script has its owner', async () => {
  const frames = ['https://js.stripe.com/v3/elements-inner-card.html#secret'];
  const { succeeded, all } = await watched({ scripts: [`${site}${loader}`, stripe], frames });
  expect(succeeded).toBe(true);
  expect(all).toContain(`script  this product  ${site}${loader}`);
  expect(all).toContain(`script  Stripe  ${stripe}`);
  expect(all).toContain('frame  Stripe  https://js.stripe.com/v3/elements-inner-card.html');
  expect(all).not.toContain('secret');
});

test('watch: an ordinary page may have the networks of its deployment, a page that claims to be a checkout may not', async () => {
  const pixels = { vendors: '', suffix: '', meta: '1', tiktok: '1' };
  const headers = pageHeaders('ordinary', false, pixels);
  const scripts = ['https://connect.facebook.net/en_US/fbevents.js'];
  const live: Live = { kind: 'ordinary', headers, scripts };
  const landing = { ...live, path: 'one_pager', html: page('', 'ordinary', 'one_pager') };
  expect(await watched(landing)).toMatchObject({ succeeded: true });

  const alias = { ...live, path: 'buy' };
  for (const checkout of [await watched(live), await watched(alias)]) {
    expect(checkout.succeeded).toBe(false);
    for (const what of ['data-kind', 'content-security-policy', 'permissions-policy', 'script']) {
      expect(checkout.different).toContain(`DIFFERENT ${what}\n`);
    }
  }
});

test.for<[string, Live, RegExp]>([
  [
    'a foreign script in the HTML',
    { html: page('<script src="https://foreign.example/skim.js"></script>') },
    /^DIFFERENT script\n {2}found {5}https:\/\/foreign\.example\/skim\.js$/,
  ],
  [
    'a foreign script that another one loads',
    { scripts: ['https://foreign.example/late.js'] },
    /^DIFFERENT script\n {2}found {5}https:\/\/foreign\.example\/late\.js$/,
  ],
  [
    'a script that belongs on ordinary pages',
    { scripts: ['https://connect.facebook.net/en_US/fbevents.js'] },
    /^DIFFERENT script\n.*fbevents\.js$/,
  ],
  [
    'a host whose name begins like a known one',
    { scripts: ['https://js.stripe.com.foreign.example/v3/stripe.js'] },
    /^DIFFERENT script\n/,
  ],
  [
    'a script behind a comment that ended',
    { html: page('<!--><script src="https://foreign.example/a.js"></script><!-- -->') },
    /^DIFFERENT script\n.*foreign\.example\/a\.js$/,
  ],
  [
    'an inline script with a source in another attribute',
    { html: page(`<script data-src="${loader}" title=" src=${loader}">steal()</script>`) },
    /^DIFFERENT script\n.*<script data-src.*>$/,
  ],
  ['a page that claims another kind', { html: page('', 'private') }, /^DIFFERENT data-kind/],
  [
    'an inline script',
    { html: page('<script>steal()</script>') },
    /^DIFFERENT script\n.*<script>$/,
  ],
  [
    'a frame over the card fields',
    { html: page('<iframe src="https://foreign.example/card"></iframe>') },
    /^DIFFERENT frame\n.*foreign\.example\/card$/,
  ],
  [
    'a script of our own with other bytes',
    { files: { [loader]: 'built, and more' } },
    /^DIFFERENT script\n.*loader\.A1\.js$/,
  ],
  [
    'a script of our own that this build lacks',
    { scripts: [`${site}/static/js/more.B2.js`] },
    /^DIFFERENT script\n.*more\.B2\.js$/,
  ],
  [
    'a loosened policy',
    { headers: { 'content-security-policy': "script-src * 'unsafe-inline'" } },
    /^DIFFERENT content-security-policy\n.*unsafe-inline'$/,
  ],
  ['no HSTS', { headers: { 'strict-transport-security': '' } }, /^DIFFERENT strict-transport/],
  [
    'a header that redirects',
    { headers: { refresh: '0; url=https://foreign.example' } },
    /^DIFFERENT refresh\n/,
  ],
  [
    'a page that shared caches may store',
    { headers: { 'cache-control': 'public' } },
    /^DIFFERENT cache/,
  ],
])('watch: %s is the only difference', async ([, live, printed]) => {
  const { succeeded, different, all } = await watched(live);
  expect([succeeded, different]).toEqual([false, expect.stringMatching(printed)]);
  expect(all).toContain('What to do:');
});

test('watch: fakes count as their vendors in local development only', async () => {
  const scripts = ['/fakes/js.stripe.com/v3/stripe.js'];
  const here = 'http://localhost:8787';
  const headers = pageHeaders('payment', true, null);
  const there = await watched({ scripts: [site + scripts[0]] });
  expect(there.different).toMatch(/^DIFFERENT script\n.*stripe\.js$/);
  const { succeeded, all } = await watched({ scripts: [here + scripts[0]], headers }, {}, here);
  expect([succeeded, all]).toEqual([true, expect.stringContaining('script  Stripe  ')]);
});

test('watch: a page that cannot be read is a failure', async () => {
  expect(await watched({ status: 503 })).toMatchObject({ succeeded: false });
  expect(await watched({ html: '<main>Parked</main>' })).toMatchObject({ succeeded: false });
});

test('watch: without a browser or a build the success is partial', async () => {
  const none = join(folder, 'none');
  for (const without of [{ look: null }, { folder: none }, { look: null, folder: none }]) {
    const { succeeded, isPartial, all } = await watched({}, without);
    expect([succeeded, isPartial]).toEqual([false, true]);
    expect(all.includes('Chromium is not installed')).toBe('look' in without);
    expect(all.includes('no build')).toBe('folder' in without);
  }
});

test('watch: a difference is a failure also without a browser', async () => {
  const html = page('<script>steal()</script>');
  const { succeeded, isPartial } = await watched({ html }, { look: null });
  expect([succeeded, isPartial]).toEqual([false, false]);
});
