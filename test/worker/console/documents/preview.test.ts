import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { request } from '../../request.ts';
import { asRole, hiddenFields, open, send } from '../console-client.ts';

const variants = [
  { key: 'fullPrice', weight: 50, flow: 'default' },
  { key: 'intro/7d', weight: 50, flow: 'lp11ch8' },
];
const config = JSON.stringify({ experiment: 'prices', variants });
const flows = builtInDocuments['flows.json'];

beforeEach(async () => {
  await env.FUNNEL.put('config.json', config);
  await env.FUNNEL.put('flows.json', flows);
});
const framesIn = (html: string) =>
  [...html.matchAll(/<iframe src="([^"]+)"/g)].map(([, address = '']) => address);

test('console preview: every screen of two variants, each a real page that only our own pages may frame', async () => {
  const viewer = await asRole('viewer');
  const query = 'variant=fullPrice&beside=intro%2F7d&country=de&lng=de&theme=found';
  const page = await open(`/console/preview?${query}`, viewer);
  expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
  const frames = framesIn(await page.text());
  expect(frames.map((address) => address.split('?')[0])).toEqual([
    ...['/one_pager', '/searching', '/signup', '/checkout_v3_tr', '/upsell_an_private', '/success'],
    ...['/one_pager', '/searching', '/signup', '/checkout_h3_pp', '/upsell_an_private', '/success'],
  ]);
  for (const [at, arm] of [
    [0, 'fullPrice'],
    [6, 'intro/7d'],
    [9, 'intro/7d'],
  ] as const) {
    const response = await request(`https://funnel.example${frames[at]}`);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('content-language')).toBe('de');
    expect(html).toContain(`data-arm="${arm}"`);
    expect(html).not.toMatch(/<script|<noscript/);
  }
});

test('console preview: visitors’ pages and links made by the command may not be framed', async () => {
  const token = 'AbCdEfGhIjKlMnOpQrSt-_';
  await env.FUNNEL.put(`preview/${token}`, JSON.stringify({ arm: 'intro/7d' }));
  for (const address of ['/one_pager', `/one_pager?frame=${token}`, '/one_pager?frame=unknown']) {
    const response = await request(`https://funnel.example${address}`);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await response.text()).toContain('<script');
  }
});

test('console preview: a change is previewed before it is published, and is not live', async () => {
  const marketer = await asRole('marketer');
  const next = variants.map((one) => (one.key === 'intro/7d' ? { ...one, flow: 'ask' } : one));
  const fields = [
    ['config', JSON.stringify({ experiment: 'prices', variants: next })],
    ['flows', flows],
    ['variant', 'intro/7d'],
  ];
  const html = await (await send('/console/preview', fields, marketer)).text();
  expect(html).toContain('an unpublished change');
  const [first = ''] = framesIn(html);
  expect(first).toMatch(/^\/questions\?/);
  const framed = await (await request(`https://funnel.example${first}`)).text();
  expect(framed).toContain('data-flow="ask"');
  expect(await env.FUNNEL.get('config.json')).toBe(config);
});

test('console preview: the form opens unsaved input in a new tab, the changed variant beside the first', async () => {
  const marketer = await asRole('marketer');
  const form = await (await open('/console/experiments', marketer)).text();
  const previewButton = /<button[^>]*formAction="\/console\/preview"[^>]*>([^<]*)/.exec(form);
  expect(previewButton?.[0]).toContain('formTarget="_blank"');
  expect(previewButton?.[1]).toContain('in a new tab');
  expect(form).not.toContain('href="/console/preview"');
  const typed = (weights: number[], flow: string) => [
    ['base', hiddenFields(form).base ?? ''],
    ['experiment', 'prices'],
    ...variants.flatMap(({ key }, at) => [
      ['key', key],
      ['weight', String(weights[at])],
      ['flow', key === 'intro/7d' ? flow : 'default'],
    ]),
  ];
  const screens = async (fields: string[][]) =>
    (await send('/console/preview', fields, marketer)).text();
  const html = await screens(typed([60, 40], 'ask'));
  expect(html).toContain('an unpublished change');
  const frames = framesIn(html).map((address) => address.split('?')[0]);
  expect(frames[0]).toBe('/questions');
  expect(frames).toContain('/checkout_v3_tr');
  const live = await screens(typed([50, 50], 'lp11ch8'));
  expect(live).toContain('These are the live screens');
  expect(live).not.toContain('an unpublished change');
});

test('console preview: a role that cannot publish opens the live screens in a new tab', async () => {
  const form = await (await open('/console/experiments', await asRole('viewer'))).text();
  expect(form).toContain('<a href="/console/preview" target="_blank" rel="noopener">');
});

test('console preview: a QR code opens a variant on a phone, without the console', async () => {
  const viewer = await asRole('viewer');
  const html = await (await open('/console/preview?variant=intro%2F7d', viewer)).text();
  const [, link = ''] = /<a href="([^"]*preview=[^"]*)"[^>]*>See it on the site/.exec(html) ?? [];
  const phone = await request(link);
  expect(await phone.text()).toContain('data-arm="intro/7d"');
  const [, code = ''] = /<img [^>]*src="([^"]*)" alt="QR code of intro\/7d/.exec(html) ?? [];
  const image = await open(code.replaceAll('&amp;', '&'), viewer);
  expect(image.headers.get('content-type')).toBe('image/svg+xml');
  expect(await image.text()).toMatch(/^<svg/);
  const unknown = await open('/console/preview/qr.svg?screen=one_pager&token=x', viewer);
  expect(unknown.status).toBe(404);
});

test('console preview: documents that cannot be shown are reported; the country chosen before stays', async () => {
  const marketer = await asRole('marketer');
  const broken = await send(
    '/console/preview',
    [
      ['config', '{'],
      ['flows', flows],
    ],
    marketer,
  );
  expect(await broken.text()).toContain('not valid');
  const cookie = '__Host-console-country=GB';
  const british = { ...marketer, headers: { ...marketer.headers, cookie } };
  const nowhere = await open('/console/preview?country=%3Cb', british);
  expect(await nowhere.text()).toMatch(/<option value="GB" selected="">/);
});

test.each([
  ['intro/7d', '50% of new visitors will see “intro/7d” instead of “fullPrice”.'],
  ['fullPrice', '50% of new visitors will see “fullPrice” instead of “intro/7d”.'],
])(
  'console experiments: shipping %s is reviewed, published at 100 %% and audited with its reason',
  async (ship, words) => {
    const marketer = await asRole('marketer');
    const review = await (await send('/console/review', [['ship', ship]], marketer)).text();
    expect(review).toContain(words);
    const { base = '', config: next = '', flows: same = '' } = hiddenFields(review);
    const fields = [
      ['base', base],
      ['config', next],
      ['flows', same],
      ['reason', 'it sells'],
    ];
    expect((await send('/console/publish', fields, marketer)).status).toBe(303);
    const { variants: live } = JSON.parse((await env.FUNNEL.get('config.json')) ?? '{}');
    expect(live.map(({ key, weight }: { key: string; weight: number }) => [key, weight])).toEqual(
      variants.map(({ key }) => [key, key === ship ? 100 : 0]),
    );
    const kept = await env.DB.prepare(
      "SELECT reason FROM audit WHERE action = 'publish' ORDER BY started_at DESC",
    ).first('reason');
    expect(kept).toBe('it sells');
    await env.DB.exec('DELETE FROM config_publications');
  },
);
