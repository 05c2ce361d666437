import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { EmailAmbiguousError, resend } from '../../../worker/email/resend.ts';
import { misleadingResponses, stubMisleadingResponse } from '../faults/truncated-response.ts';
import { mailVars, stubMailVendor } from './email-fixture.ts';

const mail = {
  id: 'receipt:1',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
};
const mailer = () => resend({ ...env, ...mailVars });

test('Resend: an e-mail is sent unchanged from EMAIL_FROM', async () => {
  const vendor = stubMailVendor();
  expect((await mailer().send(mail)).state).toBe('sent');
  const { id: _, ...parts } = mail;
  const from = mailVars.EMAIL_FROM;
  expect(vendor.inbox(mail.to)).toMatchObject([{ ...parts, from, to: [mail.to] }]);
});

test('Resend: a retry with the same id sends nothing twice, also after a lost reply', async () => {
  const vendor = stubMailVendor();
  vendor.nextFaults.push('lost');
  await expect(mailer().send(mail)).rejects.toBeInstanceOf(EmailAmbiguousError);
  expect((await mailer().send(mail)).state).toBe('sent');
  expect(await mailer().send({ ...mail, text: 'Other words' })).toEqual({
    state: 'sent',
    id: null,
  });
  expect(vendor.inbox(mail.to).map(({ text }) => text)).toEqual(['Hello Ada']);
});

test.for([500, 503, 409, 401, 403])(
  'Resend: status %s throws, and a retry succeeds',
  async (status) => {
    stubMailVendor().nextFaults.push(status);
    await expect(mailer().send(mail)).rejects.toThrow(String(status));
    expect((await mailer().send(mail)).state).toBe('sent');
  },
);

test('Resend: beyond two e-mails a second it waits as long as Resend asks', async () => {
  const vendor = stubMailVendor();
  vendor.perSecond = 2;
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    expect((await mailer().send({ ...mail, id })).state).toBe('sent');
  expect(vendor.inbox(mail.to)).toHaveLength(5);
});

test('Resend: throws if the limit stays exceeded, and at once if the wait is long', async () => {
  stubMailVendor().nextFaults.push(429, 429, 429, 429);
  await expect(mailer().send(mail)).rejects.toThrow('429 rate_limit_exceeded');
  const day = { 'retry-after': '86400' };
  const calls = vi.fn(async () => Response.json({}, { status: 429, headers: day }));
  vi.stubGlobal('fetch', calls);
  await expect(mailer().send(mail)).rejects.toThrow('429');
  expect(calls).toHaveBeenCalledTimes(1);
});

test.for(misleadingResponses)(
  'Resend: a 200 with %s throws, and the retry sends one e-mail',
  async (name) => {
    stubMisleadingResponse(name);
    await expect(mailer().send(mail)).rejects.toBeInstanceOf(EmailAmbiguousError);
    const vendor = stubMailVendor();
    const [first, again] = [await mailer().send(mail), await mailer().send(mail)];
    expect([first.state, again]).toEqual(['sent', first]);
    expect(vendor.inbox(mail.to)).toHaveLength(1);
  },
);

test('Resend: an invalid address is refused for good', async () => {
  stubMailVendor();
  expect(await mailer().send({ ...mail, to: 'nobody' })).toEqual({ state: 'refused' });
});

test('Resend: a wrong EMAIL_FROM throws, because it would lose every e-mail', async () => {
  stubMailVendor();
  const wrong = resend({ ...env, ...mailVars, EMAIL_FROM: 'hello at example.com' });
  await expect(wrong.send(mail)).rejects.toThrow('422 invalid_from_address');
});

test('Resend: throws not_configured without a key', async () => {
  stubMailVendor();
  const unset = resend({ ...env, RESEND_API_KEY: undefined, EMAIL_FROM: undefined });
  await expect(unset.send(mail)).rejects.toThrow('not_configured');
});

test('Resend: the error quotes neither the e-mail nor the answer', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ name: `no ${mail.to}`, message: mail.to }, { status: 500 }),
  );
  const error = await mailer()
    .send(mail)
    .catch((thrown: Error) => thrown);
  expect(String(error)).not.toContain('ada');
});

test('Resend: the timeout is 10 seconds', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout');
  stubMailVendor();
  await mailer().send(mail);
  expect(limit).toHaveBeenCalledWith(10_000);
  limit.mockRestore();
});

test.for([
  ['delivered', false],
  ['opened', false],
  ['delivery_delayed', false],
  ['bounced', true],
  ['suppressed', true],
  ['failed', true],
] as const)(
  'Resend: an e-mail whose last event is %s has bounced: %s',
  async ([event, bounced]) => {
    const vendor = stubMailVendor();
    const sent = await mailer().send(mail);
    const id = sent.state === 'sent' ? (sent.id ?? '') : '';
    vendor.lastEvents[id] = event;
    expect(await mailer().hasBounced(id)).toBe(bounced);
  },
);

test('Resend: it does not say whether an e-mail bounced to a key that may only send, or while it is down', async () => {
  stubMailVendor();
  const sendsOnly = resend({ ...env, ...mailVars, RESEND_API_KEY: 're_sends_only' });
  expect(await sendsOnly.hasBounced('m')).toBeNull();
  expect(await mailer().hasBounced('unknown')).toBeNull();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('lost')));
  expect(await mailer().hasBounced('m')).toBeNull();
});
