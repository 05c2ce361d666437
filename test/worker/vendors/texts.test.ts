import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { twilio } from '../../../worker/vendors/texts.ts';
import { openSms } from '../inviting.ts';
import { lie, lies } from './lying.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const text = { to: '+4915123456789', from: '+15005550006', body: 'A text' };

test('a text reaches the number, which is in no address', async () => {
  const sms = openSms();
  expect(await twilio(env).send(text)).toBe('sent');
  expect(sms.inbox(text.to)).toMatchObject([text]);
  expect(await twilio(env).wasTaken(text, Date.now())).toBe(true);
  expect(await twilio(env).wasTaken({ ...text, body: 'Another' }, Date.now())).toBe(false);
  expect(sms.urls.join()).toContain('/2010-04-01/Accounts/AC_fake/Messages.json');
  expect(sms.urls.join()).not.toContain('15123456789');
});

test.each([
  [{ status: 400, code: 21211 }, 'refused'],
  [{ status: 400, code: 21614 }, 'refused'],
  [{ status: 400, code: 21610 }, 'stopped'],
])('%j is final: %s', async (trouble, end) => {
  const sms = openSms();
  sms.trouble.push(trouble);
  expect(await twilio(env).send(text)).toBe(end);
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

test.each(lies)('%s is neither a yes nor a no: the text is looked for', async (name) => {
  const { calls } = lie(name);
  await expect(twilio(env).send(text)).rejects.toMatchObject({ name: 'TextUnclear' });
  await expect(twilio(env).wasTaken(text, 0)).rejects.toMatchObject({ name: 'TextUnclear' });
  expect(calls()).toBe(2);
});

test('without an account nothing is taken', async () => {
  const bare = twilio({ ...env, TWILIO_AUTH_TOKEN: '' });
  await expect(bare.send(text)).rejects.toMatchObject({ name: 'TextNotTaken' });
});

test('a list that does not end is taken for a yes: better no text than two', async () => {
  const page = { messages: [], next_page_uri: '/2010-04-01/next' };
  vi.stubGlobal('fetch', async () => Response.json(page));
  expect(await twilio(env).wasTaken(text, 0)).toBe(true);
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
  await expect(twilio(env).wasTaken(text, 0)).rejects.toMatchObject({ name: 'TextUnclear' });
});
