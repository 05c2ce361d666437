import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plain } from '../open-page.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { ask } from '../request.ts';
import { leads, ways } from './redirects.ts';

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

/** Where the links, forms and refreshes of a page lead. */
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

test('hostile redirects: the corpus has two thousand', () => {
  expect(forms.length).toBeGreaterThanOrEqual(2000);
  expect(new Set(leads).size).toBe(leads.length);
});

test('hostile redirects: every redirect stays on this site', { timeout: 600_000 }, async () => {
  const step = Math.floor(forms.length / scaled(forms.length));
  // Each way begins at another address.
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
    // One slash, then a name of ours: no host, no letters that a browser leaves out.
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
