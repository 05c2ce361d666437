import { expect, test } from 'vitest';
import { ask, post, refusalOf } from '../request.ts';

const origin = 'http://localhost';
const sent = { events: [{ id: '1', name: 'load' }] };

test.each([
  [{}],
  [{ origin }],
  [{ 'sec-fetch-site': 'same-origin', origin }],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }],
  [{ 'sec-fetch-site': 'none' }],
])('request guard: %j is allowed to POST', async (headers: Record<string, string>) => {
  expect((await post('/events', sent, headers)).status).toBe(204);
});

test('request guard: GET is allowed from any origin', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.test' };
  expect((await ask('/api/v1/cf-country', { headers })).status).toBe(200);
});

test('request guard: a body over 64 KB is refused', async () => {
  const padded = (length: number) => {
    const body = JSON.stringify(sent);
    return body + ' '.repeat(length - body.length);
  };
  const events = (body: BodyInit) => {
    const headers = { 'content-type': 'application/json' };
    return ask('/api/v1/events', { method: 'POST', headers, body });
  };
  expect((await events(padded(64 * 1024))).status).toBe(204);
  const refusal = await refusalOf(await events(padded(64 * 1024 + 1)));
  expect(refusal.slice(0, 2)).toEqual([413, 'body_too_large']);
  const unsized = new Blob([padded(70_000)]).stream();
  expect((await events(unsized)).status).toBe(413);
});
