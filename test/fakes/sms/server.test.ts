import { expect, test, vi } from 'vitest';
import { createSms } from './server.ts';

const host = 'https://api.twilio.com';
const messages = `${host}/2010-04-01/Accounts/AC_fake/Messages.json`;
const text = { To: '+4915123456789', From: '+15005550006', Body: 'See https://x.test/i#abc' };

const send = (form: Record<string, string>, headers: object = { authorization: 'Basic x' }) =>
  new Request(messages, {
    method: 'POST',
    headers: { ...headers },
    body: new URLSearchParams(form),
  });

async function answer(request: Request, sms = createSms()) {
  const response = await sms.fetch(request);
  return [response.status, ((await response.json()) as { code?: number }).code];
}

test.each([
  [text, {}, 201, undefined],
  [{ ...text, To: '123' }, {}, 400, 21211],
  [{ ...text, From: '' }, {}, 400, 21603],
  [{ ...text, Body: '' }, {}, 400, 21602],
  [text, { authorization: '' }, 401, 20003],
])('SMS fake: %j with %j gets %i %s', async (form, headers, status, code) => {
  const given = { authorization: 'Basic x', ...headers };
  expect(await answer(send(form, given))).toEqual([status, code]);
});

test('SMS fake: SMS are listed by sender and time of sending, also after a lost reply', async () => {
  const sms = createSms();
  sms.nextFaults.push({ status: 500 }, 'lost');
  expect((await answer(send(text), sms))[0]).toBe(500);
  await expect(sms.fetch(send(text))).rejects.toThrow('lost');
  const list = async (filter: Record<string, string>) => {
    const query = new URLSearchParams({ From: text.From, ...filter });
    const headers = { authorization: 'Basic x' };
    const response = await sms.fetch(new Request(`${messages}?${query}`, { headers }));
    return ((await response.json()) as { messages: object[] }).messages;
  };
  const listed = [{ to: text.To, body: text.Body }];
  expect(await list({})).toMatchObject(listed);
  expect(await list({ 'DateSent>': '2020-01-01T00:00:00Z' })).toEqual([]);
  for (const one of sms.state.messages) one.date_sent = one.date_created;
  expect(await list({ 'DateSent>': '2020-01-01T00:00:00Z' })).toMatchObject(listed);
  expect(await list({ 'DateSent>': '2999-01-01T00:00:00Z' })).toEqual([]);
});

test('SMS fake: the page shows SMS with links, and posts a signed reply', async () => {
  const sms = createSms();
  await sms.fetch(send(text));
  const replyTo = vi.fn(async () => new Response('<Response><Message>Done</Message></Response>'));
  vi.stubGlobal('fetch', replyTo);
  sms.connect({ origin: 'http://here', account: 'AC_fake', token: 't' });
  const form = new URLSearchParams({ from: text.To, body: 'STOP' });
  expect(
    (await sms.fetch(new Request('https://sms/', { method: 'POST', body: form }))).status,
  ).toBe(303);
  expect(replyTo).toHaveBeenCalledWith('http://here/webhooks/twilio', expect.anything());
  const page = await (await sms.fetch(new Request('https://sms/'))).text();
  expect(page).toContain('href="https://x.test/i#abc"');
  expect(page).toContain('Done');
  vi.unstubAllGlobals();
});
