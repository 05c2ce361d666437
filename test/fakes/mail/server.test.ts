import { expect, test } from 'vitest';
import { createMail } from './server.ts';

const mail = { from: 'A <a@example.com>', to: ['b@example.com'], subject: 'S', text: 'T' };

const call = (body: unknown, headers: Record<string, string> = {}) =>
  new Request('https://api.resend.com/emails', {
    method: 'POST',
    headers: { authorization: 'Bearer re_x', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function answer(body: unknown, headers?: Record<string, string>, office = createMail()) {
  const response = await office.fetch(call(body, headers));
  return [response.status, ((await response.json()) as { name?: string }).name];
}

test.each([
  [{ ...mail, to: 'b@example.com' }, {}, 200, undefined],
  [{ ...mail, subject: '' }, {}, 422, 'missing_required_field'],
  [{ ...mail, text: undefined }, {}, 422, 'missing_required_field'],
  [{ ...mail, to: [] }, {}, 422, 'missing_required_field'],
  [{ ...mail, to: ['b'] }, {}, 422, 'validation_error'],
  [mail, { authorization: '' }, 401, 'missing_api_key'],
  [mail, { authorization: 'Bearer sk_x' }, 403, 'invalid_api_key'],
  [mail, { 'idempotency-key': 'k'.repeat(257) }, 400, 'invalid_idempotency_key'],
])('%j with %j is answered %s %s', async (body, headers, status, name) => {
  expect(await answer(body, headers as Record<string, string>)).toEqual([status, name]);
});

test('a key takes one mail; other words under it are refused', async () => {
  const office = createMail();
  const key = { 'idempotency-key': 'k' };
  const ids = [await office.fetch(call(mail, key)), await office.fetch(call(mail, key))];
  const [first, second] = await Promise.all(ids.map((response) => response.json()));
  expect(second).toEqual(first);
  expect(await answer({ ...mail, text: 'U' }, key, office)).toEqual([
    409,
    'invalid_idempotent_request',
  ]);
  expect(office.inbox('b@example.com')).toHaveLength(1);
});

test('trouble comes before anything is taken, a lost reply after', async () => {
  const office = createMail();
  office.trouble.push(500, 'lost');
  expect((await answer(mail, {}, office))[0]).toBe(500);
  await expect(office.fetch(call(mail))).rejects.toThrow('lost');
  expect(office.inbox('b@example.com')).toHaveLength(1);
});

test('the inbox shows what came, with its words as words', async () => {
  const office = createMail();
  await office.fetch(call({ ...mail, subject: '<b>S' }));
  const page = await office.fetch(new Request('https://api.resend.com/inbox'));
  const html = await page.text();
  expect(html).toContain('&lt;b&gt;S');
  expect(html).toContain('to b@example.com');
});
