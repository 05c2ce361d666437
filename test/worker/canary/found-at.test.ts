import { expect, test } from 'vitest';
import { answerFields, bodyOf, requestFields } from './found-at.ts';

const told = async (init: RequestInit) => {
  const request = new Request('https://vendor.test/a?b=c', { method: 'POST', ...init });
  return requestFields(request, await bodyOf(request)).filter(([place]) => /body/.test(place));
};

test('a body is taken apart, whatever it is written in', async () => {
  expect(
    await told({
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
  expect(await told({ body: new URLSearchParams({ 'a[0][b]': 'x y' }) })).toEqual([
    ['sent vendor.test body key', 'a[0][b]'],
    ['sent vendor.test body.a[][b]', 'x y'],
  ]);
  const xml = '<customer><email>ada@example.com</email><id type="x">1</id></customer>';
  const headers = { 'content-type': 'application/xml' };
  expect(await told({ headers, body: xml })).toEqual([
    ['sent vendor.test body.email', 'ada@example.com'],
    ['sent vendor.test body.id', '1'],
  ]);
  expect(await told({ body: 'a text' })).toEqual([['sent vendor.test body', 'a text']]);
});

test('of an answer its headers count, and pages and refusals whole', async () => {
  const headers = { 'set-cookie': 'carry=x; Path=/', 'content-type': 'text/html' };
  const page = await answerFields(new Response('<p>', { headers }));
  expect(page).toEqual([
    ['answered header.content-type', 'text/html'],
    ['answered header.set-cookie.carry', 'carry=x; Path=/'],
    ['page', '<p>'],
  ]);
  expect((await answerFields(Response.json({ mine: 1 }))).map(([place]) => place)).toEqual([
    'answered header.content-type',
  ]);
  expect(await answerFields(new Response('no', { status: 400 }))).toContainEqual(['refusal', 'no']);
});
