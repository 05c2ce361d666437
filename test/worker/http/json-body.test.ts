import { expect, test } from 'vitest';
import { post, refusalOf, request } from '../request.ts';

const send = (body: string | undefined, type?: string) => {
  const headers: Record<string, string> = type ? { 'content-type': type } : {};
  return request('/api/v1/phone-number-info', { method: 'POST', headers, body });
};
const number = '{"phone":"+49 151 23456789"}';

test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
  'JSON body: the content type %s is accepted',
  async (type) => expect((await send(number, type)).status).toBe(200),
);

test('JSON body: a field’s own code is used', async () => {
  const refusal = await refusalOf(await send('{"phone":1,"country":1}', 'application/json'));
  expect(refusal.slice(0, 2)).toEqual([400, 'phone_incorrect']);
});

test.each<[string, unknown, string | undefined]>([
  ['/phone-number-info', { phone: 1 }, 'phone'],
  ['/coupons', { coupon: 'A' }, 'plan'],
  ['/signup', { email: 'nobody', user_uuid: 'me' }, 'email'],
  ['/coupons', [], 'coupon'],
  ['/coupons', 7, undefined],
])('JSON body: %s answers %j with the field that is wrong', async (path, body, field) => {
  const { errors } = (await (await post(path, body)).json()) as { errors: { field?: string } };
  expect(errors.field).toBe(field);
});
