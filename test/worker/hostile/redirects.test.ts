import { expect, test } from 'vitest';
import { plain } from '../open-page.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { ask } from '../request.ts';

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

const once = (text: string) => encodeURIComponent(text);

/** One hundred, each as is and encoded once more. */
const leads: readonly string[] = [...addresses, ...addresses.map(once)];

/** The parts of a request that could cause a redirect: parameters, fields, headers and cookies. */
interface Way {
  method: 'GET' | 'POST';
  path: string;
  query?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

const phone = '+4915123456789';
const names = ['next', 'return', 'back', 'url', 'redirect', 'appDomain', 'utm_source', 'preview'];
const all = (lead: string) => new URLSearchParams(names.map((name) => [name, lead])).toString();
const fieldsOf = (lead: string) => Object.fromEntries(names.map((name) => [name, lead]));
/** A header can contain only Latin-1 characters, and no line breaks. */
const header = (text: string) => text.replace(/[^ -~]/g, '');

/** Twenty places where a URL may be planted. */
const ways: Record<string, (lead: string) => Way> = {
  'a form’s query': (lead) => ({
    method: 'POST',
    path: '/one_pager',
    query: all(lead),
    fields: { phone },
  }),
  'a form’s fields': (lead) => ({
    method: 'POST',
    path: '/one_pager',
    fields: { ...fieldsOf(lead), phone },
  }),
  'the number itself': (lead) => ({ method: 'POST', path: '/one_pager', fields: { phone: lead } }),
  'the country of a number': (lead) => ({
    method: 'POST',
    path: '/one_pager',
    fields: { phone, country: lead },
  }),
  'the e-mail itself': (lead) => ({ method: 'POST', path: '/signup', fields: { email: lead } }),
  'a refused form’s query': (lead) => ({ method: 'POST', path: '/signup', query: all(lead) }),
  'a form that only goes on': (lead) => ({ method: 'POST', path: '/searching', query: all(lead) }),
  'a form that needs scripts': (lead) => ({
    method: 'POST',
    path: '/checkout_v3_tr',
    query: all(lead),
  }),
  'the page of a form': (lead) => ({ method: 'POST', path: `/${once(lead)}` }),
  'the page of a form, as it is': (lead) => ({
    method: 'POST',
    path: `/${header(lead).replace(/[\s?#]/g, '')}`,
  }),
  'the page before': (lead) => ({
    method: 'POST',
    path: '/searching',
    headers: { referer: header(lead) },
  }),
  'the page before, of ours': (lead) => ({
    method: 'POST',
    path: '/searching',
    headers: { referer: `http://localhost${header(lead)}` },
  }),
  'the query before': (lead) => ({
    method: 'POST',
    path: '/searching',
    headers: { referer: `http://localhost/one_pager?${all(lead)}` },
  }),
  'the page before a language': (lead) => ({
    method: 'POST',
    path: '/language',
    fields: { language: 'de' },
    headers: { referer: header(lead) },
  }),
  'the page of ours before a language': (lead) => ({
    method: 'POST',
    path: '/language',
    fields: { language: 'de', ...fieldsOf(lead) },
    headers: { referer: `http://localhost${header(lead)}` },
  }),
  'the language itself': (lead) => ({
    method: 'POST',
    path: '/language',
    query: all(lead),
    fields: { language: lead },
  }),
  'what a proxy says': (lead) => ({
    method: 'POST',
    path: '/searching',
    headers: Object.fromEntries(
      ['x-forwarded-host', 'x-original-url', 'x-rewrite-url', 'forwarded', 'x-host'].map((name) => [
        name,
        header(lead),
      ]),
    ),
  }),
  cookies: (lead) => ({
    method: 'POST',
    path: '/searching',
    headers: {
      cookie: ['carry', 'arm', 'lng', 'preview', 'userUuid', 'consent']
        .map((name) => `${name}=${header(lead).replace(/[;,]/g, '')}`)
        .join('; '),
    },
  }),
  'a page’s query': (lead) => ({ method: 'GET', path: '/', query: all(lead) }),
  'a link’s query': (lead) => ({ method: 'GET', path: '/m', query: all(lead) }),
  'the app’s query': (lead) => ({ method: 'GET', path: '/d', query: all(lead) }),
  'the query of a page that is none': (lead) => ({
    method: 'GET',
    path: `/${once(lead)}`,
    query: all(lead),
  }),
};

/** Targets of a page's links, forms and refreshes. */
async function exitsOf(response: Response): Promise<string[]> {
  const exits: string[] = [];
  const names = ['href', 'action', 'formaction', 'data-next', 'data-first', 'data-signup'];
  const page = new HTMLRewriter().on('*', {
    element(element) {
      for (const name of names) exits.push(plain(element.getAttribute(name) ?? ''));
      if (element.getAttribute('http-equiv')) exits.push(element.getAttribute('content') ?? '');
    },
  });
  await page.transform(response as never).text();
  return exits.filter(Boolean);
}

const forms = Object.entries(ways).flatMap(([way, write]) =>
  leads.map((lead) => [way, lead, write] as const),
);

test('hostile redirects: the corpus has two thousand targets', () => {
  expect(forms.length).toBeGreaterThanOrEqual(2000);
  expect(new Set(leads).size).toBe(leads.length);
});

test('hostile redirects: every redirect stays on this site', { timeout: 600_000 }, async () => {
  const step = Math.floor(forms.length / scaled(forms.length));
  // Each way starts with another URL.
  const turn = (at: number) => Math.floor(at / leads.length);
  for (const [way, lead, write] of forms.filter((_, at) => (at + turn(at)) % step === 0)) {
    const { method, path, query, fields = {}, headers = {} } = write(lead);
    const body = method === 'POST' ? { body: new URLSearchParams(fields) } : {};
    const url = query ? `${path}?${query}` : path;
    const response = await ask(url, { method, headers, redirect: 'manual', ...body });
    const { status } = response;
    const location = response.headers.get('location');
    const what = [way, lead, location];
    expect([...what, status < 500 && (status === 303) === (location !== null)]).toEqual([
      ...what,
      true,
    ]);
    // One slash, then a name of ours: no host, and no characters that a browser drops.
    if (location) expect([way, lead, location]).toEqual([way, lead, expect.stringMatching(ours)]);
    expect(response.headers.getSetCookie().join()).not.toMatch(/domain=|evil\.example *;/i);
    const exits = await exitsOf(response);
    const gone = exits.filter(
      (exit) => hostOf(exit).endsWith('evil.example') || /^\W*\w*script:/i.test(exit),
    );
    expect([...what, gone]).toEqual([...what, []]);
  }
});

const ours = /^\/\w*(\?[\w%=&+.*~!'()-]*)?$/;

const hostOf = (address: string) =>
  URL.canParse(address, 'http://localhost') ? new URL(address, 'http://localhost').hostname : '';
