import { expect, it, vi } from 'vitest';
import { call, errorCode, request } from '../../../islands/runtime/api.ts';
import { refusalMessage } from '../../../islands/runtime/refusal-message.ts';
import { landingKey, writeMemory } from '../../../islands/runtime/storage/state-storage.ts';

function answer(status: number, body: string) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response(body, { status }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

it('api: posts JSON with a body, otherwise gets', async () => {
  const fetch = answer(200, '{"a":1}');
  expect(await call('/x', { body: { b: 2 }, bearer: 't' })).toEqual({ a: 1 });
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/v1/x');
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({
    method: 'POST',
    body: '{"b":2}',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  });
  await call('/y');
  expect(fetch.mock.calls[1]?.[1]).toMatchObject({ method: 'GET', body: undefined });
});

it('api: the remembered landing is sent, and none if none is known', async () => {
  const fetch = answer(200, '{}');
  await call('/x', { body: {} });
  writeMemory([[landingKey, 'one_pager']]);
  await call('/x', { body: {} });
  const sent = fetch.mock.calls.map(([, { headers }]) => new Headers(headers).get('x-landing'));
  expect(sent).toEqual([null, 'one_pager']);
});

it('api: returns the status of a pending response', async () => {
  answer(202, '{}');
  expect(await request('/x')).toEqual({ status: 202, body: {} });
});

it('api: an error response rejects with the parsed body', async () => {
  answer(422, '{"errors":{"code":"email_taken","messages":["Taken"]}}');
  const error = await call('/x').catch((reason) => reason);
  expect(refusalMessage(error)).toBe('Taken');
  expect(errorCode(error)).toBe('email_taken');
});

it('api: a non-JSON refusal rejects with an empty body, a non-JSON success with an Error', async () => {
  answer(502, '<html>');
  expect(await call('/x').catch((reason) => reason)).toEqual({});
  answer(200, '<html>');
  expect(await call('/x').catch((reason) => reason)).toBeInstanceOf(Error);
});

it.each([
  undefined,
  null,
  'x',
  {},
  { errors: {} },
  { errors: { messages: [] } },
  { errors: { messages: [5] } },
  { errors: { messages: '' } },
])('api: %j has no message', (error) => {
  expect(refusalMessage(error)).toBeUndefined();
  expect(errorCode(error)).toBeUndefined();
});
