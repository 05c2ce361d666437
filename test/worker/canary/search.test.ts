import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { search } from './search.ts';
import { needlesOf } from './secrets.ts';
import { email, phone } from './test-identities.ts';
import { answerFields, bodyOf, requestFields } from './trace.ts';

const needles = needlesOf([email, phone]);
const [address = ''] = email.written;
const [number = ''] = phone.written;
const digits = number.slice(1);
const spaced = digits.replace(/^(..)(...)/, '+$1 $2 ').replace(/(..)$/, ' $1');
const escaped = (text: string, start: string, width: number) =>
  [...text].map((sign) => start + sign.charCodeAt(0).toString(16).padStart(width, '0')).join('');
const hash = (text: string, how: string) => createHash(how).update(text).digest();

const leaks: [name: string, text: string, found: string][] = [
  ['an address', `to=${address}`, 'email'],
  ['an address in capitals', `TO ${address.toUpperCase()}.`, 'email'],
  ['its domain alone', `sent to …@${address.split('@')[1]}`, 'email'],
  ['its name alone', address.split('@')[0] ?? '', 'email'],
  ['an address in a query', `?q=${encodeURIComponent(address)}`, 'email'],
  ['an address encoded twice', encodeURIComponent(encodeURIComponent(address)), 'email'],
  ['an address all in percent signs', escaped(address, '%', 2), 'email'],
  ['an address escaped in JSON', `"${escaped(address, '\\u', 4)}"`, 'email'],
  ['JSON within JSON', JSON.stringify(JSON.stringify({ a: address })), 'email'],
  [
    'an address in entities',
    [...address].map((one) => `&#${one.charCodeAt(0)};`).join(''),
    'email',
  ],
  ['base64', Buffer.from(address).toString('base64'), 'email base64'],
  ['base64 within more', Buffer.from(`{"e":"${address}"}`).toString('base64'), 'email base64'],
  ['base64 a byte later', Buffer.from(`{"em":"${address}"}`).toString('base64'), 'email base64'],
  ['base64url', Buffer.from(`?>${address}?>`).toString('base64url'), 'email base64'],
  ['hex', Buffer.from(address).toString('hex').toUpperCase(), 'email hex'],
  ['SHA-256 in hex', hash(address, 'sha256').toString('hex'), 'email sha256'],
  ['SHA-256 in base64', hash(address, 'sha256').toString('base64'), 'email sha256'],
  ['MD5', hash(address, 'md5').toString('hex'), 'email md5'],
  ['SHA-1', hash(address, 'sha1').toString('base64url'), 'email sha1'],
  ['E.164', number, 'phone'],
  ['digits only', `x${digits}y`, 'phone'],
  ['a national number', `0${digits.slice(2)}`, 'phone'],
  ['with 00', `00${digits}`, 'phone'],
  ['with spaces', spaced, 'phone'],
  [
    'with dashes and brackets',
    spaced.replace(' ', ' (0) ').replaceAll(' ', '-').replace('0', ''),
    'phone',
  ],
  ['with hard spaces', spaced.replaceAll(' ', '\u00a0'), 'phone'],
  ['in a query', `phone=${encodeURIComponent(spaced)}`, 'phone'],
  ['in a form', `phone=${new URLSearchParams({ spaced })}`, 'phone'],
  ['all but its end', `prefix:${number.slice(0, -4)}`, 'phone'],
  ['digits in base64', Buffer.from(`{"p":"${digits}"}`).toString('base64'), 'phone base64'],
  ['digits in hex', Buffer.from(number).toString('hex'), 'phone hex'],
  ['SHA-256 of E.164', hash(number, 'sha256').toString('hex'), 'phone sha256'],
  ['SHA-256 of the digits', hash(digits, 'sha256').toString('hex'), 'phone sha256'],
];

test.each(leaks)('leak search: planted data is found: %s', (_name, leak, found) => {
  const text = `{"ts":1763733083000,"id":"0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0","${leak}","ms":12}`;
  expect(search(text, needles)).toContain(found);
});

test.each([
  '',
  '{"ts":"2026-11-20T09:00:00Z","price":"39.99","id":"4915125-1297-4361"}',
  'canary@example.com +4915123456789',
])('leak search: nothing is found in %j', (text) => expect(search(text, needles)).toEqual([]));

const tracesOf = async (init: RequestInit) => {
  const request = new Request('https://vendor.test/a?b=c', { method: 'POST', ...init });
  return requestFields(request, await bodyOf(request)).filter(([place]) => /body/.test(place));
};

test('leak search: a body is parsed in every format', async () => {
  expect(
    await tracesOf({
      headers: { 'content-type': 'application/json' },
      body: '{"a":[{"b":1},{"b":"x"}],"c":null}',
    }),
  ).toEqual([
    ['sent vendor.test body key', 'a'],
    ['sent vendor.test body.a key', 'b'],
    ['sent vendor.test body.a.b', '1'],
    ['sent vendor.test body.a key', 'b'],
    ['sent vendor.test body.a.b', 'x'],
    ['sent vendor.test body key', 'c'],
  ]);
  expect(await tracesOf({ body: new URLSearchParams({ 'a[0][b]': 'x y' }) })).toEqual([
    ['sent vendor.test body key', 'a[0][b]'],
    ['sent vendor.test body.a[][b]', 'x y'],
  ]);
  const xml = '<customer><email>ada@example.com</email><id type="x">1</id></customer>';
  expect(await tracesOf({ headers: { 'content-type': 'application/xml' }, body: xml })).toEqual([
    ['sent vendor.test body.email', 'ada@example.com'],
    ['sent vendor.test body.id', '1'],
  ]);
  expect(await tracesOf({ body: 'a text' })).toEqual([['sent vendor.test body', 'a text']]);
});

test('leak search: response headers are searched, and pages and error responses as a whole', async () => {
  const headers = { 'set-cookie': 'carry=x; Path=/', 'content-type': 'text/html' };
  expect(await answerFields(new Response('<p>', { headers }))).toEqual([
    ['response header.content-type', 'text/html'],
    ['response header.set-cookie.carry', 'carry=x; Path=/'],
    ['page', '<p>'],
  ]);
  expect((await answerFields(Response.json({ mine: 1 }))).map(([place]) => place)).toEqual([
    'response header.content-type',
  ]);
  expect(await answerFields(new Response('no', { status: 400 }))).toContainEqual(['refusal', 'no']);
});
