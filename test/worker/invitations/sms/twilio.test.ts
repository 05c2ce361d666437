import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { twilio } from '../../../../worker/invitations/sms/twilio.ts';
import { misleadingResponses, stubMisleadingResponse } from '../../faults/truncated-response.ts';
import { stubSmsVendor } from './sms-fixture.ts';

const text = {
  to: '+4915123456789',
  from: '+15005550006',
  body: 'A text',
  statusCallback: 'https://funnel.test/s?text=1',
};

test('Twilio: an SMS is submitted, and no URL has the number', async () => {
  const sms = stubSmsVendor();
  const submitted = await twilio(env).send(text);
  const { to, from, body, statusCallback: status_callback } = text;
  expect(sms.inbox(to)).toMatchObject([{ to, from, body, status_callback }]);
  const sid = sms.inbox(to)[0]?.sid ?? '';
  expect(submitted).toEqual({ kind: 'sent', sid });
  expect(await twilio(env).find(text, Date.now())).toEqual({ sid });
  expect(await twilio(env).find({ ...text, body: 'Another' }, Date.now())).toBeNull();
  expect(await twilio(env).readStatus(sid)).toEqual({ sid, status: 'queued', code: null });
  expect(await twilio(env).readStatus('SM0')).toBeNull();
  expect(sms.urls.join()).toContain('/2010-04-01/Accounts/AC_fake/Messages.json');
  expect(sms.urls.join()).not.toContain('15123456789');
});

test('Twilio: an SMS that waits in its queue, without a time of sending, is found', async () => {
  const sms = stubSmsVendor();
  sms.nextFaults.push('lost');
  await expect(twilio(env).send(text)).rejects.toMatchObject({ name: 'SmsAmbiguousError' });
  expect(sms.inbox(text.to)).toMatchObject([{ status: 'queued', date_sent: null }]);
  expect(await twilio(env).find(text, Date.now())).toEqual({ sid: sms.inbox(text.to)[0]?.sid });
});

test('Twilio: the search ends at a page that is older than the submission', async () => {
  const page = (minutes: number) => ({
    messages: [
      { ...text, sid: 'SM1', body: 'B', date_created: new Date(minutes * 60_000).toUTCString() },
    ],
    next_page_uri: '/2010-04-01/next',
  });
  const pages = [page(9), page(7), page(9)];
  const vendor = vi.fn(async () => Response.json(pages.shift()));
  vi.stubGlobal('fetch', vendor);
  expect(await twilio(env).find(text, 9 * 60_000)).toBeNull();
  expect(vendor).toHaveBeenCalledTimes(2);
});

test.each([
  [
    { status: 400, code: 21211 },
    { kind: 'refused', code: 21211 },
  ],
  [
    { status: 400, code: 21614 },
    { kind: 'refused', code: 21614 },
  ],
  [{ status: 400, code: 21610 }, { kind: 'opted_out' }],
])('Twilio: %j is final: %j', async (nextFaults, result) => {
  stubSmsVendor().nextFaults.push(nextFaults);
  expect(await twilio(env).send(text)).toEqual(result);
});

test.each([
  [{ status: 429, code: 20429 }, 'SmsRefusedError'],
  [{ status: 401, code: 20003 }, 'SmsRefusedError'],
  [{ status: 400, code: 21408 }, 'SmsRefusedError'],
  [{ status: 500 }, 'SmsAmbiguousError'],
  ['lost' as const, 'SmsAmbiguousError'],
])('Twilio: %j throws %s', async (nextFaults, name) => {
  stubSmsVendor().nextFaults.push(nextFaults);
  const error = await twilio(env)
    .send(text)
    .catch((thrown) => thrown);
  expect([error.name, error.message]).toEqual([name, expect.not.stringContaining('+49')]);
});

test.each(misleadingResponses)('Twilio: a 200 with %s is ambiguous', async (name) => {
  const { callsTo } = stubMisleadingResponse(name);
  await expect(twilio(env).send(text)).rejects.toMatchObject({ name: 'SmsAmbiguousError' });
  await expect(twilio(env).find(text, 0)).rejects.toMatchObject({ name: 'SmsAmbiguousError' });
  expect(callsTo('api.twilio.com')).toBe(2);
});

test('Twilio: throws SmsRefusedError without credentials', async () => {
  const bare = twilio({ ...env, TWILIO_AUTH_TOKEN: '' });
  await expect(bare.send(text)).rejects.toMatchObject({ name: 'SmsRefusedError' });
});

test('Twilio: a list that is too long counts as found', async () => {
  const page = { messages: [], next_page_uri: '/2010-04-01/next' };
  vi.stubGlobal('fetch', async () => Response.json(page));
  expect(await twilio(env).find(text, 0)).toEqual({ sid: null });
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
  await expect(twilio(env).find(text, 0)).rejects.toMatchObject({ name: 'SmsAmbiguousError' });
});
