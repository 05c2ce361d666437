import { expect, test } from 'vitest';
import { repairUrl } from '../../../../worker/http/rules/repair-url.ts';

const repaired = (address: string) => repairUrl(new URL(`https://funnel.example${address}`));

const code = 'k3v9q2m7x0c4b8n1z5a6s3d7f';
const links = ['m', 'd', 'i', 'manage', 'cancel', 'manage/card', 'manage/receipt'];

/** What mail scanners, messengers and people make of a link, by its page and code. */
const rewritings: [name: string, write: (page: string, code: string) => string][] = [
  ['an encoded #', (page, code) => `/${page}%23${code}`],
  ['an encoded # in lower case', (page, code) => `/${page}%23${code}`.toLowerCase()],
  ['a # that was encoded twice', (page, code) => `/${page}%2523${code}`],
  ['a # that was encoded three times', (page, code) => `/${page}%252523${code}`],
  ['a wide #', (page, code) => `/${page}%EF%BC%83${code}`],
  ['a line break after the #', (page, code) => `/${page}%23%0D%0A${code}`],
  [
    'a line break in the code',
    (page, code) => `/${page}%23${code.slice(0, 9)}%250A${code.slice(9)}`,
  ],
  ['invisible characters', (page, code) => `/${page}%E2%80%8B%23%C2%AD${code}%EF%BB%BF`],
  ['an encoded # beside a real one', (page, code) => `/${page}%23%23${code}`],
  ['an HTML entity', (page, code) => `/${page}%26%2335%3B${code}`],
  ['an encoded HTML entity', (page, code) => `/${page}%26amp%3B%23${code}`],
  ['a slash before the code', (page, code) => `/${page}/%23${code}`],
  ['a slash after the code', (page, code) => `/${page}%23${code}/`],
  ['a double slash', (page, code) => `//${page}%23${code}`],
  ['a trailing full stop', (page, code) => `/${page}%23${code}.`],
  ['trailing punctuation', (page, code) => `/${page}%23${code}%22%3E,)`],
  ['a trailing space', (page, code) => `/${page}%23${code}%20`],
  ['a parameter after the code', (page, code) => `/${page}%23${code}?utm_source=mail`],
  ['an encoded parameter after the code', (page, code) => `/${page}%23${code}%3Futm_source%3Dmail`],
  ['parameters after the code', (page, code) => `/${page}%23${code}?a=1&amp;mc_eid=b`],
  ['a parameter before the code', (page, code) => `/${page}?utm_source=mail%23${code}`],
  ['parameters before the code', (page, code) => `/${page}?a=1&amp;b=2%2523${code}`],
  ['a capital letter', (page, code) => `/${page[0]?.toUpperCase()}${page.slice(1)}%23${code}`],
];

test.each(rewritings)('links: %s leads to the link', (_name, write) => {
  for (const page of links)
    expect([page, repaired(write(page, code))]).toEqual([page, `/${page}#${code}`]);
});

test('links: a code with - and _ at its ends is kept', () =>
  expect(repaired('/m%23-k3v9q2m7x0c4b8n1z5a6_')).toBe('/m#-k3v9q2m7x0c4b8n1z5a6_'));

test('links: what is left of a link leads to its page', () => {
  for (const page of links) {
    // The fragment is not sent: browsers keep it across the redirect.
    for (const rest of ['/', '.', '&', '&amp;', '%23', '//'])
      expect([page, rest, repaired(`/${page}${rest}`)]).toEqual([page, rest, `/${page}`]);
    expect(repaired(`/${page.toUpperCase()}?utm_source=mail`)).toBe(`/${page}?utm_source=mail`);
  }
});

test('links: a # in the value of a parameter is no code', () =>
  expect(repaired(`/m?utm_campaign=%231sale#${code}`)).toBeNull());

test.each([
  '/',
  '/m',
  '/manage/card',
  '/manage/receipt?utm_source=mail',
  '/one_pager?utm_content=%23blue',
  '/one_pager%23x',
  '/mail%23x',
  '/manage/cards%23x',
  '/api/v1/signup/',
  '/admin/purchases/',
  '/console/flows/',
  '/webhooks/stripe/',
  '/%',
  '/%E0%A4%A',
  '//evil.test',
  '/..%2f',
])('links: %s stays', (address) => expect(repaired(address)).toBeNull());

test.each([
  ['/one_pager/', '/one_pager'],
  ['/one_pager//', '/one_pager'],
  ['/one_pager/?gclid=1', '/one_pager?gclid=1'],
  ['/auto-signup/', '/auto-signup'],
  ['/manage/card/?gclid=1', '/manage/card?gclid=1'],
  ['/guide/', '/guide'],
  ['/config.json/', '/config.json'],
  // Never another site.
  ['//evil.test/', '/evil.test'],
  ['///evil.test//x/', '/evil.test/x'],
  ['/\\evil.test/', '/evil.test'],
])('pages: %s leads to %s', (address, page) => expect(repaired(address)).toBe(page));
