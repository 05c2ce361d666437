import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { EmailAmbiguousError, resend } from '../../../worker/email/resend.ts';
import { lie, lies } from '../payments/gateways/truncated-response.ts';
import { mailVars, openPostOffice } from './email-fixture.ts';

const mail = {
  id: 'receipt:1',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
};
const mailer = () => resend({ ...env, ...mailVars });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a mail goes out as it is, from our sender', async () => {
  const office = openPostOffice();
  expect(await mailer().send(mail)).toBe('sent');
  const { id: _, ...parts } = mail;
  const from = mailVars.MAIL_FROM;
  expect(office.inbox(mail.to)).toMatchObject([{ ...parts, from, to: [mail.to] }]);
});

test('the same id is the same mail, whatever became of the first reply', async () => {
  const office = openPostOffice();
  office.trouble.push('lost');
  await expect(mailer().send(mail)).rejects.toBeInstanceOf(EmailAmbiguousError);
  expect(await mailer().send(mail)).toBe('sent');
  expect(await mailer().send({ ...mail, text: 'Other words' })).toBe('sent');
  expect(office.inbox(mail.to).map(({ text }) => text)).toEqual(['Hello Ada']);
});

test.each([500, 503, 429, 409, 401, 403])('a %s means that it is tried again', async (status) => {
  const office = openPostOffice();
  office.trouble.push(status);
  await expect(mailer().send(mail)).rejects.toThrow(String(status));
  expect(await mailer().send(mail)).toBe('sent');
});

test.each(lies)('%s is no yes: it comes again, and the vendor knows it again', async (name) => {
  lie(name);
  await expect(mailer().send(mail)).rejects.toBeInstanceOf(EmailAmbiguousError);
  const office = openPostOffice();
  expect([await mailer().send(mail), await mailer().send(mail)]).toEqual(['sent', 'sent']);
  expect(office.inbox(mail.to)).toHaveLength(1);
});

test('an address that cannot be one is refused for good', async () => {
  openPostOffice();
  expect(await mailer().send({ ...mail, to: 'nobody' })).toBe('refused');
});

test('without a key nothing goes out, and nothing is lost', async () => {
  openPostOffice();
  const unset = resend({ ...env, MAIL_KEY: undefined, MAIL_FROM: undefined });
  await expect(unset.send(mail)).rejects.toThrow('not_configured');
});

test('what is thrown quotes neither the mail nor the vendor', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ name: `no ${mail.to}`, message: mail.to }, { status: 500 }),
  );
  const error = await mailer()
    .send(mail)
    .catch((thrown: Error) => thrown);
  expect(String(error)).not.toContain('ada');
});

test('a vendor that does not answer is given up after ten seconds', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout');
  openPostOffice();
  await mailer().send(mail);
  expect(limit).toHaveBeenCalledWith(10_000);
  limit.mockRestore();
});
