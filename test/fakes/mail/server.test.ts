import { expect, test } from 'vitest';
import { createMail } from './server.ts';

const mail = { from: 'A <a@example.com>', to: ['b@example.com'], subject: 'S', text: 'T' };

const call = (body: unknown, headers: Record<string, string> = {}) =>
  new Request('https://api.resend.com/emails', {
    method: 'POST',
    headers: { authorization: 'Bearer re_x', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function answer(body: unknown, headers?: Record<string, string>, fake = createMail()) {
  const response = await fake.fetch(call(body, headers));
  return [response.status, ((await response.json()) as { name?: string }).name];
}

test.for([
  [{ ...mail, to: 'b@example.com' }, {}, 200, undefined],
  [{ ...mail, subject: '' }, {}, 422, 'missing_required_field'],
  [{ ...mail, text: undefined }, {}, 422, 'missing_required_field'],
  [{ ...mail, to: [] }, {}, 422, 'missing_required_field'],
  [{ ...mail, to: ['b'] }, {}, 422, 'validation_error'],
  [mail, { authorization: '' }, 401, 'missing_api_key'],
  [mail, { authorization: 'Bearer sk_x' }, 403, 'invalid_api_key'],
  [mail, { 'idempotency-key': 'k'.repeat(257) }, 400, 'invalid_idempotency_key'],
])('e-mail fake: %j with %j gets %s %s', async ([body, headers, status, name]) => {
  expect(await answer(body, headers as Record<string, string>)).toEqual([status, name]);
});

test('e-mail fake: an idempotency key accepts one e-mail; another body under it is refused', async () => {
  const fake = createMail();
  const key = { 'idempotency-key': 'k' };
  const ids = [await fake.fetch(call(mail, key)), await fake.fetch(call(mail, key))];
  const [first, second] = await Promise.all(ids.map((response) => response.json()));
  expect(second).toEqual(first);
  expect(await answer({ ...mail, text: 'U' }, key, fake)).toEqual([
    409,
    'invalid_idempotent_request',
  ]);
  expect(fake.inbox('b@example.com')).toHaveLength(1);
});

test('e-mail fake: a planned status refuses the e-mail, a lost reply accepts it', async () => {
  const fake = createMail();
  fake.nextFaults.push(500, 'lost');
  expect((await answer(mail, {}, fake))[0]).toBe(500);
  await expect(fake.fetch(call(mail))).rejects.toThrow('lost');
  expect(fake.inbox('b@example.com')).toHaveLength(1);
});

test('e-mail fake: the inbox shows e-mails, escaped', async () => {
  const fake = createMail();
  await fake.fetch(call({ ...mail, subject: '<b>S' }));
  const page = await fake.fetch(new Request('https://api.resend.com/inbox'));
  const html = await page.text();
  expect(html).toContain('&lt;b&gt;S');
  expect(html).toContain('to b@example.com');
});
