import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { twilio } from '../../../../worker/invitations/sms/twilio.ts';
import { misleadingResponses, stubMisleadingResponse } from '../../faults/truncated-response.ts';
import { openSms } from './sms-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const text = {
  to: '+4915123456789',
  from: '+15005550006',
  body: 'A text',
  statusCallback: 'https://funnel.test/s?text=1',
};

test('a text reaches the number, which is in no address', async () => {
  const sms = openSms();
  const handed = await twilio(env).send(text);
  const { to, from, body, statusCallback: status_callback } = text;
  expect(sms.inbox(to)).toMatchObject([{ to, from, body, status_callback }]);
  const sid = sms.inbox(to)[0]?.sid ?? '';
  expect(handed).toEqual({ end: 'sent', sid });
  expect(await twilio(env).find(text, Date.now())).toEqual({ sid });
  expect(await twilio(env).find({ ...text, body: 'Another' }, Date.now())).toBeNull();
  expect(await twilio(env).look(sid)).toEqual({ sid, status: 'queued', code: null });
  expect(await twilio(env).look('SM0')).toBeNull();
  expect(sms.urls.join()).toContain('/2010-04-01/Accounts/AC_fake/Messages.json');
  expect(sms.urls.join()).not.toContain('15123456789');
});

test.each([
  [
    { status: 400, code: 21211 },
    { end: 'refused', code: 21211 },
  ],
  [
    { status: 400, code: 21614 },
    { end: 'refused', code: 21614 },
  ],
  [{ status: 400, code: 21610 }, { end: 'stopped' }],
])('%j is final: %j', async (trouble, end) => {
  const sms = openSms();
  sms.trouble.push(trouble);
  expect(await twilio(env).send(text)).toEqual(end);
});

test.each([
  [{ status: 429, code: 20429 }, 'TextNotTaken'],
  [{ status: 401, code: 20003 }, 'TextNotTaken'],
  [{ status: 400, code: 21408 }, 'TextNotTaken'],
  [{ status: 500 }, 'TextUnclear'],
  ['lost' as const, 'TextUnclear'],
])('%j is %s', async (trouble, name) => {
  const sms = openSms();
  sms.trouble.push(trouble);
  const error = await twilio(env)
    .send(text)
    .catch((thrown) => thrown);
  expect([error.name, error.message]).toEqual([name, expect.not.stringContaining('+49')]);
});

test.each(misleadingResponses)(
  '%s is neither a yes nor a no: the text is looked for',
  async (name) => {
    const { calls } = stubMisleadingResponse(name);
    await expect(twilio(env).send(text)).rejects.toMatchObject({ name: 'TextUnclear' });
    await expect(twilio(env).find(text, 0)).rejects.toMatchObject({ name: 'TextUnclear' });
    expect(calls()).toBe(2);
  },
);

test('without an account nothing is taken', async () => {
  const bare = twilio({ ...env, TWILIO_AUTH_TOKEN: '' });
  await expect(bare.send(text)).rejects.toMatchObject({ name: 'TextNotTaken' });
});

test('a list that does not end is taken for a yes: better no text than two', async () => {
  const page = { messages: [], next_page_uri: '/2010-04-01/next' };
  vi.stubGlobal('fetch', async () => Response.json(page));
  expect(await twilio(env).find(text, 0)).toEqual({ sid: null });
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
  await expect(twilio(env).find(text, 0)).rejects.toMatchObject({ name: 'TextUnclear' });
});
