import { env } from 'cloudflare:test';
import { build } from 'virtual:client';
import { expect, test, vi } from 'vitest';
import { builtInFlows, screenIds } from '../../../worker/experiments/rules/flows.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { attributes, open, texts, withoutCss } from '../open-page.ts';

const flow = builtInFlows.default ?? [];
const payment = ['checkout_v3_tr', 'upsell_an_private'];
const kindOf = (id: string | undefined) => (payment.includes(id ?? '') ? 'payment' : 'ordinary');
const uuid = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';

test.each(flow.map((id, i) => [id, flow[i + 1]] as const))(
  'pages: %s leads to %s',
  async (id, next) => {
    const { status, html } = await open(`/${id}`);
    expect(status).toBe(200);
    const { 'data-entry': entry, ...facts } = attributes(html, 'main');
    expect(facts).toMatchObject({
      'data-screen': id,
      'data-flow': 'default',
      'data-arm': 'fullPrice',
      'data-landing-type': 'split_fullPrice',
      'data-kind': kindOf(id),
      'data-first': '/one_pager',
      'data-number': '/one_pager',
      'data-signup': '/signup',
      'data-checkout': '/checkout_v3_tr',
      'data-test': '',
    });
    expect(facts['data-next']).toBe(next && `/${next}`);
    expect(facts['data-next-kind']).toBe(next && kindOf(next));
    expect(entry).toBe(id === 'one_pager' ? '' : undefined);
    expect(attributes(html, 'html')).toEqual({
      lang: 'en',
      dir: 'ltr',
      'data-theme': 'geozilla',
      'data-build': build,
      ...(id.startsWith('one_pager') ? {} : { 'data-fonts': 'Inter' }),
    });
  },
);

test.each([
  ['one_pager', 'en', null],
  ['one_pager_ai', 'en', null],
  ['signup', 'en', 'Inter'],
  ['signup', 'de', 'Inter'],
  ['signup', 'ar', 'Cairo'],
  ['one_pager', 'ar', null],
])(
  'pages: %s in %s has the font %s, the first page the system font',
  async (id, language, fonts) => {
    const { html } = await open(`/${id}`, { 'accept-language': language });
    expect(attributes(html, 'html')['data-fonts'] ?? null).toBe(fonts);
    const script = /<script src="\/static\/fonts\/(\w+)\.\w+\.js"/.exec(html)?.[1];
    expect(script).toBe(fonts?.toLowerCase());
  },
);

test.each([...flow, 'payment_declined', 'nowhere'])(
  'pages: %s has a title, and an h1 that is first and focusable',
  async (id) => {
    const { html } = await open(`/${id}`);
    expect(texts(html, 'title')[0]?.trim()).toBeTruthy();
    // Others are hidden: that of the message about a missing step, and that of an active plan.
    const hidden = [/ data-with=/, / id="active-plan"/].filter((one) => one.test(html));
    expect(html.match(/<h1/g)).toHaveLength(1 + hidden.length);
    expect(/<h[1-6]/.exec(html)?.[0]).toBe('<h1');
    expect(attributes(html, 'h1').tabindex).toBe('-1');
    expect(texts(html, 'h1')[0]?.trim()).toBeTruthy();
  },
);

test('pages: / is the first screen, without a redirect', async () => {
  const [root, first] = [await open('/'), await open('/one_pager')];
  expect([root.status, root.headers.get('location')]).toEqual([200, null]);
  expect(root.html).toBe(first.html);
});

test('pages: the declined page has three hints and a link to the checkout', async () => {
  const { status, html } = await open('/payment_declined');
  expect([status, texts(html, 'h1')[0]]).toEqual([200, 'Payment declined']);
  expect(texts(html, 'li').join(' ')).toMatch(/money.*limit.*issuer/is);
  expect(html).toContain('href="/checkout_v3_tr#card"');
});

test.each([
  '/nowhere',
  '/__proto__',
  '/constructor',
  '/a%2Fb',
  '/one_pager/x',
  '/One_pager',
  '/one_pager.html',
  '/one-pager',
])('pages: %s is a 404 with a link to the first screen', async (path) => {
  const { status, html } = await open(path);
  expect(status).toBe(404);
  expect(attributes(html, 'main')['data-screen']).toBe('fallback');
  expect(html).toContain('href="/one_pager"');
});

test('pages: a 404 does not repeat the URL', async () => {
  const { html } = await open('/%3Cscript%3Ealert(1)%3C%2Fscript%3E?gclid=canary-of-the-query');
  expect(html).not.toMatch(/alert\(1\)|canary/);
});

test('pages: a crash is a 500 with one link', async () => {
  vi.spyOn(Intl, 'DisplayNames').mockImplementationOnce(
    class {
      constructor() {
        throw new RangeError('+1 202 555 0100');
      }
    } as never,
  );
  // Without the build's file, the page asks the runtime for the country's name.
  const ASSETS = {
    fetch: async (request: Request) =>
      request.url.includes('countries')
        ? new Response('', { status: 404 })
        : env.ASSETS.fetch(request),
  };
  const visitor = { 'cf-ipcountry': 'PW', 'accept-language': 'nl' };
  const { status, html } = await open('/one_pager', visitor, { ASSETS });
  expect(status).toBe(500);
  expect(texts(html, 'h1')).toEqual(['Onverwachte fout in de toepassing']);
  expect(html).toContain('href="/one_pager"');
  expect(html).not.toMatch(/555 0100|RangeError/);
  // One visitor's crash does not affect others.
  expect((await open('/one_pager', visitor)).status).toBe(200);
});

test('pages: the HTML contains nothing about the visitor', async () => {
  const map = { phone: '+1 202 555 0100', country: 'US' };
  const carry = encodeURIComponent(JSON.stringify({ map }));
  const cookie = `userUuid=${uuid}; carry=${carry}; arm=built-in:fullPrice; _fbp=fb.1.2`;
  const query = '?gclid=canary&utm_source=canary&other=canary';
  for (const id of [...flow, 'payment_declined', 'nowhere']) {
    const { html } = await open(`/${id}${query}`, { cookie, authorization: 'Bearer canary' });
    const texts = html.replace(/name@example\.com/g, '');
    expect(texts).not.toMatch(/canary|555 0100|fb\.1\.2/);
    expect(texts).not.toMatch(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/);
    expect(texts).toBe((await open(`/${id}`)).html.replace(/name@example\.com/g, ''));
  }
});

test('pages: no inline scripts, style attributes, handlers or Suspense markers', async () => {
  for (const id of [...screenIds, 'nowhere']) {
    const { html } = await open(`/${id}`);
    const scripts = [...html.matchAll(/<script[^>]*>([^<]*)/g)];
    expect(scripts.filter(([tag, inner]) => inner || !tag.includes(' src="/'))).toEqual([]);
    expect(html).not.toMatch(/<!--\$|<template|\$RC|<[^>]+ (style|on\w+)=/);
  }
});

test('pages: every form posts to its own page', async () => {
  for (const id of ['one_pager', 'searching', 'signup']) {
    const { html } = await open(`/${id}`);
    expect(attributes(html, 'form')).toMatchObject({ method: 'post', action: `/${id}` });
  }
});

test('pages: production has no test markers', async () => {
  const more = { ENVIRONMENT: 'production' };
  for (const id of flow) {
    const { html } = await open(`/${id}`, {}, more);
    expect(attributes(html, 'main')).not.toHaveProperty('data-test');
    expect(html).not.toMatch(/4242\s4242/);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  }
});

test('pages: another arm has another flow and offer, and its alias is the same page', async () => {
  const config = {
    experiment: 'e1',
    variants: [{ key: 'intro/7d', weight: 100, flow: 'short' }],
    offers: { intro: { plans: ['monthly_7d'], upsell: 'upsell_monthly_799', guide: 'guide_899' } },
  };
  const flows = {
    flows: { short: ['one_pager_ai', 'signup', 'checkout_v3_tr', 'success'] },
    aliases: { hello: 'one_pager_ai' },
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify(flows));
  const page = await vi.waitFor(async () => {
    const { html } = await open('/', {}, { CONFIG_CACHE_SECONDS: '0' });
    expect(attributes(html, 'main')['data-arm']).toBe('intro/7d');
    return html;
  }, pollTimeout);
  expect(attributes(page, 'main')).toMatchObject({
    'data-screen': 'one_pager_ai',
    'data-flow': 'short',
    'data-landing-type': 'split_intro_7d',
    'data-next': '/signup',
    'data-search': '/searching',
    'data-entry': '',
  });
  expect(withoutCss((await open('/hello')).html)).toBe(withoutCss(page));
  expect((await open('/checkout_v3_tr')).html).toContain('monthly_7d_usd');
  // The default flow's screen is still a page; it leads into the flow.
  const nextOf = async (path: string) => attributes((await open(path)).html, 'main')['data-next'];
  expect(await nextOf('/questions')).toBe('/one_pager_ai');
  // What the look-up asks is asked before the e-mail.
  expect(await nextOf('/searching')).toBe('/signup');
});

test.each(['/auto-signup', '/checkout-test'])(
  'pages: %s exists only outside production',
  async (path) => {
    const { status, html } = await open(path);
    expect([status, attributes(html, 'main')['data-screen']]).toEqual([200, path.slice(1)]);
    const hidden = await open(path, {}, { ENVIRONMENT: 'production' });
    expect([hidden.status, attributes(hidden.html, 'main')['data-screen']]).toEqual([
      404,
      'fallback',
    ]);
  },
);

test('pages: the payment test shows every main plan', async () => {
  const { html } = await open('/checkout-test');
  const plans = [...html.matchAll(/name="plan"[^>]*value="(\w+)_usd"/g)].map(
    ([, family]) => family,
  );
  expect(plans).toEqual(['monthly', 'quarterly', 'monthly_7d', 'monthly_5d', 'monthly_3d']);
});

test('pages: a wide viewport paints only the complete page', async () => {
  const { html } = await open('/one_pager');
  const whole = /<link rel="expect" href="#(\w+)" blocking="render" media="\(min-width: 432px\)"/;
  const [, last] = whole.exec(html) ?? [];
  expect(html.indexOf(`id="${last}"`)).toBeGreaterThan(html.indexOf('</main>'));
  expect(html.indexOf('<link rel="expect"')).toBeLessThan(html.indexOf('<body'));
});

// Not `rel="prefetch"`, which Firefox checks against `default-src`. The loader fetches the next screen's images.
test.each([
  ['one_pager', []],
  ['signup', []],
  ['checkout_v3_tr', ['/images/payment.3a3c3cb505.svg']],
  ['paycheck_combo_3d', ['/images/payment.3a3c3cb505.svg']],
  ['success', []],
])('pages: %s preloads its images and prefetches nothing', async (id, own) => {
  const { html } = await open(`/${id}`);
  const preloads = html.matchAll(/<link rel="preload" as="image" href="([^"]+)"/g);
  expect([...preloads].map(([, path]) => path)).toEqual(own);
  expect(html).not.toContain('rel="prefetch"');
});

test.each([
  ['one_pager', false],
  ['signup', true],
  ['checkout_v3_tr', true],
  ['upsell_guide', true],
  ['success', true],
])('pages: the first paint of %s waits for the loader: %s', async (id, waits) => {
  const loader = /<script[^>]*type="module"[^>]*>/.exec((await open(`/${id}`)).html)?.[0];
  expect(loader?.includes('blocking="render"')).toBe(waits);
  expect(loader?.includes('async')).toBe(!waits);
});
