import { expect, test } from 'vitest';
import { plain } from '../open-page.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { request } from '../request.ts';

const host = 'evil.example';

/** Notations of an external URL that may look like one of ours. */
const addresses = [
  `https://${host}`,
  `http://${host}/x`,
  `//${host}`,
  `///${host}`,
  `////${host}//`,
  `/\\${host}`,
  `\\\\${host}`,
  `\\/${host}`,
  `/\t/${host}`,
  `/\n/${host}`,
  `\t//${host}`,
  ` //${host}`,
  `\u0000//${host}`,
  `/./${`/${host}`}`,
  `/..//${host}`,
  `/one_pager/..//${host}`,
  `/one_pager//${host}`,
  `.${host}/`,
  `@${host}`,
  `:80@${host}`,
  `localhost@${host}`,
  `http://localhost@${host}`,
  `http://localhost.${host}`,
  `http://${host}#localhost`,
  `http://${host}?http://localhost`,
  `http:${host}`,
  `http:/${host}`,
  `https:\\\\${host}`,
  `HtTpS://${host}`,
  `javascript:location='//${host}'`,
  `JaVaScRiPt:alert(1)//${host}`,
  `java\nscript:alert(1)//${host}`,
  `data:text/html,<script>location='//${host}'</script>`,
  `vbscript:x//${host}`,
  `blob:https://${host}/x`,
  `/\u2044/${host}`,
  `\uff0f\uff0f${host}`,
  `//evil\u3002example`,
  `/one_pager\r\nLocation: https://${host}`,
  `/one_pager\nSet-Cookie: a=${host}`,
  `?next=//${host}`,
  `#//${host}`,
  `;//${host}`,
  `%09//${host}`,
  `/%5c${host}`,
  `/%2f%2f${host}`,
  `..%2f..%2f${host}`,
  `[::1]@${host}`,
  `//[${host}]`,
  `http://0x7f.1@${host}`,
];

/** One hundred, each as is and encoded once more. */
const targets: readonly string[] = [
  ...addresses,
  ...addresses.map((text) => encodeURIComponent(text)),
];

/** The parts of a request that could cause a redirect: parameters, fields, headers and cookies. */
interface Planted {
  method: 'GET' | 'POST';
  path: string;
  query?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

const phone = '+4915123456789';
const names = ['next', 'return', 'back', 'url', 'redirect', 'appDomain', 'utm_source', 'preview'];
const queryOf = (target: string) =>
  new URLSearchParams(names.map((name) => [name, target])).toString();
const fieldsOf = (target: string) => Object.fromEntries(names.map((name) => [name, target]));
/** A header can contain only Latin-1 characters, and no line breaks. */
const headerText = (text: string) => text.replace(/[^ -~]/g, '');

const page = (path: string, query: string): Planted => ({ method: 'GET', path, query });
const form = (path: string, more: Omit<Planted, 'method' | 'path'> = {}): Planted => ({
  method: 'POST',
  path,
  ...more,
});
const proxyHeaders = 'x-forwarded-host x-original-url x-rewrite-url forwarded x-host'.split(' ');
const cookieNames = 'carry arm lng preview userUuid consent'.split(' ');
const site = 'http://localhost';

/** Twenty places where a URL may be planted. */
const places: Record<string, (target: string) => Planted> = {
  'a form’s query': (target) => form('/one_pager', { query: queryOf(target), fields: { phone } }),
  'a form’s fields': (target) => form('/one_pager', { fields: { ...fieldsOf(target), phone } }),
  'a phone number': (target) => form('/one_pager', { fields: { phone: target } }),
  'the country of a phone number': (target) =>
    form('/one_pager', { fields: { phone, country: target } }),
  'an e-mail address': (target) => form('/signup', { fields: { email: target } }),
  'a refused form’s query': (target) => form('/signup', { query: queryOf(target) }),
  'the query of a form without fields': (target) => form('/searching', { query: queryOf(target) }),
  'the query of a form that needs scripts': (target) =>
    form('/checkout_v3_tr', { query: queryOf(target) }),
  'the path of a form, encoded': (target) => form(`/${encodeURIComponent(target)}`),
  'the path of a form': (target) => form(`/${headerText(target).replace(/[\s?#]/g, '')}`),
  'the referrer of a form': (target) =>
    form('/searching', { headers: { referer: headerText(target) } }),
  'the path of a referrer on our site': (target) =>
    form('/searching', { headers: { referer: site + headerText(target) } }),
  'the query of a referrer on our site': (target) =>
    form('/searching', { headers: { referer: `${site}/one_pager?${queryOf(target)}` } }),
  'the referrer of a language choice': (target) =>
    form('/language', { fields: { language: 'de' }, headers: { referer: headerText(target) } }),
  'the fields of a language choice': (target) =>
    form('/language', {
      fields: { language: 'de', ...fieldsOf(target) },
      headers: { referer: site + headerText(target) },
    }),
  'a language': (target) =>
    form('/language', { query: queryOf(target), fields: { language: target } }),
  'the headers of a proxy': (target) =>
    form('/searching', {
      headers: Object.fromEntries(proxyHeaders.map((name) => [name, headerText(target)])),
    }),
  cookies: (target) => {
    const value = headerText(target).replace(/[;,]/g, '');
    return form('/searching', {
      headers: { cookie: cookieNames.map((name) => `${name}=${value}`).join('; ') },
    });
  },
  'a page’s query': (target) => page('/', queryOf(target)),
  'the query of a sign-in link': (target) => page('/m', queryOf(target)),
  'the query of an app link': (target) => page('/d', queryOf(target)),
  'the query of an unknown page': (target) =>
    page(`/${encodeURIComponent(target)}`, queryOf(target)),
};

/** Targets of a page's links, forms and refreshes. */
async function linksOf(response: Response): Promise<string[]> {
  const links: string[] = [];
  const names = [
    'href',
    'action',
    'formaction',
    'data-next',
    'data-first',
    'data-number',
    'data-signup',
  ];
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      for (const name of names) links.push(plain(element.getAttribute(name) ?? ''));
      if (element.getAttribute('http-equiv')) links.push(element.getAttribute('content') ?? '');
    },
  });
  await rewriter.transform(response as never).text();
  return links.filter(Boolean);
}

const forms = Object.entries(places).flatMap(([place, plant]) =>
  targets.map((target) => [place, target, plant] as const),
);

test('hostile redirects: the corpus has two thousand targets', () => {
  expect(forms.length).toBeGreaterThanOrEqual(2000);
  expect(new Set(targets).size).toBe(targets.length);
});

test('hostile redirects: every redirect stays on this site', { timeout: 600_000 }, async () => {
  const step = Math.floor(forms.length / scaled(forms.length));
  // Each place starts with another URL.
  const offset = (at: number) => Math.floor(at / targets.length);
  for (const [place, target, plant] of forms.filter((_, at) => (at + offset(at)) % step === 0)) {
    const { method, path, query, fields = {}, headers = {} } = plant(target);
    const body = method === 'POST' ? { body: new URLSearchParams(fields) } : {};
    const url = query ? `${path}?${query}` : path;
    const response = await request(url, { method, headers, redirect: 'manual', ...body });
    const { status } = response;
    const location = response.headers.get('location');
    const what = [place, target, location];
    expect([...what, status < 500 && (status === 303) === (location !== null)]).toEqual([
      ...what,
      true,
    ]);
    // One slash, then a name of ours: no host, and no characters that a browser drops.
    if (location) expect(what).toEqual([place, target, expect.stringMatching(ownPath)]);
    expect(response.headers.getSetCookie().join()).not.toMatch(/domain=|evil\.example *;/i);
    const foreign = (await linksOf(response)).filter(
      (link) => hostOf(link).endsWith('evil.example') || /^\W*\w*script:/i.test(link),
    );
    expect([...what, foreign]).toEqual([...what, []]);
  }
});

const ownPath = /^\/\w*(\?[\w%=&+.*~!'()-]*)?$/;

const hostOf = (address: string) =>
  URL.canParse(address, 'http://localhost') ? new URL(address, 'http://localhost').hostname : '';
