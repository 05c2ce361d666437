import { expect, test } from 'vitest';
import { ask, refusalOf } from '../request.ts';

const send = (body: string | undefined, type?: string) => {
  const headers: Record<string, string> = type ? { 'content-type': type } : {};
  return ask('/api/v1/phone-number-info', { method: 'POST', headers, body });
};
const number = '{"phone":"+49 151 23456789"}';

test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
  '%s is read',
  async (type) => expect((await send(number, type)).status).toBe(200),
);

test.each([
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/problem+json',
  'application/jsonx',
])('JSON body: %s is refused as wrong_type', async (type) => {
  expect((await refusalOf(await send(number, type))).slice(0, 2)).toEqual([415, 'wrong_type']);
});

test.each(['', '{', 'phone=1', '{"phone":}', '[]]'])(
  'JSON body: %j is refused as malformed_body',
  async (body) => {
    const refusal = await refusalOf(await send(body, 'application/json'));
    expect(refusal.slice(0, 2)).toEqual([400, 'malformed_body']);
  },
);

test('JSON body: a field’s own code is used', async () => {
  const refusal = await refusalOf(await send('{"phone":1,"country":1}', 'application/json'));
  expect(refusal.slice(0, 2)).toEqual([400, 'phone_incorrect']);
});
