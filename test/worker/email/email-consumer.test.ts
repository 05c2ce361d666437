import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { isEmailDone, markEmailDone } from '../../../worker/email/email-table.ts';
import {
  type EmailMessage,
  emailCode,
  enqueueEmail,
  siteOrigin,
} from '../../../worker/email/enqueue-email.ts';
import type { LogFields } from '../../../worker/platform/log-fields.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { deliver, mailQueue, stubMailVendor } from './email-fixture.ts';

const minute = 60_000;

test('e-mail table: an id is deleted after 90 days', async () => {
  await markEmailDone(env.DB, 'old', 0);
  await markEmailDone(env.DB, 'new', 91 * 24 * 60 * minute);
  expect([await isEmailDone(env.DB, 'old'), await isEmailDone(env.DB, 'new')]).toEqual([
    false,
    true,
  ]);
});

const secret = 'a secret of the tests, 32 characters';
test('e-mail codes: an e-mail always has the same code; another e-mail or secret has another', async () => {
  const code = await emailCode(secret, 'one');
  expect(code).toMatch(/^[\w-]{22}$/);
  expect(await emailCode(secret, 'one')).toBe(code);
  const others = [await emailCode(secret, 'two'), await emailCode(`${secret}.`, 'one')];
  expect(new Set([code, ...others]).size).toBe(3);
});

const mail: EmailMessage = {
  id: '1',
  template: 'sign_in',
  account: 'a' as AccountId,
  site: 'https://funnel.test',
  until: null,
  data: null,
};

test('enqueue e-mail: the message holds no address', async () => {
  const { sent, more } = mailQueue();
  expect(await enqueueEmail({ ...env, ...more }, mail, () => {})).toBe(true);
  expect(sent).toEqual([mail]);
  expect(JSON.stringify(sent)).not.toContain('@');
});

test('enqueue e-mail: returns false and logs the template while the queue is down', async () => {
  const { queue, more } = mailQueue();
  queue.down = true;
  const lines: [string, LogFields | undefined][] = [];
  const log = (_: string, event: string, fields?: LogFields) => lines.push([event, fields]);
  expect(await enqueueEmail({ ...env, ...more }, mail, log)).toBe(false);
  expect(lines).toEqual([
    ['email_enqueue_failed', { template: 'sign_in', reason: 'Error', final: true }],
  ]);
});

test.each([
  [undefined, 'https://a.test/api/v1/x?y', 'https://a.test'],
  ['https://b.test/', 'https://a.test/api', 'https://b.test'],
])('site origin: with SITE_URL %s a request to %s gives %s', (SITE_URL, url, site) => {
  expect(siteOrigin({ SITE_URL }, url)).toBe(site);
});

test('site origin: in production no link follows the Host of a request', () => {
  const [ENVIRONMENT, url] = ['production', 'https://evil.test/api'] as const;
  expect(() => siteOrigin({ ENVIRONMENT }, url)).toThrow('unavailable');
  expect(siteOrigin({ ENVIRONMENT, SITE_URL: 'https://b.test' }, url)).toBe('https://b.test');
});

/** Collects the log lines from here on. */
function captureLog() {
  const levels = ['info', 'warn', 'error'] as const;
  const spies = levels.map((level) => vi.spyOn(console, level).mockReturnValue());
  return () => spies.flatMap(({ mock }) => mock.calls.map(String));
}

const mailTo = (account: AccountId, more: Partial<EmailMessage> = {}): EmailMessage => ({
  id: crypto.randomUUID(),
  template: 'sign_in',
  account,
  site: 'https://funnel.test',
  until: null,
  data: null,
  ...more,
});

test('e-mail consumer: an e-mail reaches the account owner with its link', async () => {
  const vendor = stubMailVendor();
  const { id, email } = await newAccount();
  const message = mailTo(id);
  const code = await emailCode(env.TOKEN_SECRET, message.id);
  expect(await deliver([message])).toEqual({ ackAll: true, again: [] });
  const [mail] = vendor.inbox(email);
  expect(mail?.text).toContain(`https://funnel.test/m#${code}`);
  expect(mail?.html).toContain(`href="https://funnel.test/m#${code}"`);
});

test('e-mail consumer: a message delivered twice, or ten times at once, is one e-mail', async () => {
  const vendor = stubMailVendor();
  const { id, email } = await newAccount();
  const mail = mailTo(id);
  await deliver([mail, structuredClone(mail)]);
  await Promise.all(Array.from({ length: 9 }, () => deliver([structuredClone(mail)])));
  expect(vendor.inbox(email)).toHaveLength(1);
});

test.each([500, 'lost'] as const)(
  'e-mail consumer: a vendor failure (%s) is retried',
  async (kind) => {
    const lines = captureLog();
    const vendor = stubMailVendor();
    const { id, email } = await newAccount();
    const [first, second] = [mailTo(id), mailTo(id, { template: 'app_link' })];
    vendor.nextFaults.push(kind);
    expect(await deliver([first, second])).toEqual({ ackAll: false, again: ['m0'] });
    expect(await deliver([first, second])).toEqual({ ackAll: true, again: [] });
    expect(vendor.inbox(email)).toHaveLength(2);
    expect(lines().join()).toContain('email_failed');
  },
);
test('e-mail consumer: an e-mail that was sent but not recorded is not sent again', async () => {
  const vendor = stubMailVendor();
  const { id, email } = await newAccount();
  const mail = mailTo(id);
  const forgetful = new Proxy(env.DB, {
    get: (db, key) =>
      key === 'batch' ? () => Promise.reject(new Error('D1')) : Reflect.get(db, key, db).bind(db),
  });
  expect(await deliver([mail], { DB: forgetful })).toMatchObject({ again: ['m0'] });
  expect(await deliver([mail])).toMatchObject({ ackAll: true });
  expect(vendor.inbox(email)).toHaveLength(1);
});

test('e-mail consumer: an expired link is not sent', async () => {
  const lines = captureLog();
  const vendor = stubMailVendor();
  const { id, email } = await newAccount();
  expect(await deliver([mailTo(id, { until: Date.now() - 1 })])).toMatchObject({ ackAll: true });
  expect(vendor.inbox(email)).toEqual([]);
  expect(lines().join()).toContain('"state":"late"');
});

test('e-mail consumer: an invalid message is logged and dropped, the others are sent', async () => {
  const lines = captureLog();
  const vendor = stubMailVendor();
  const { id, email } = await newAccount();
  const noAccount = mailTo(crypto.randomUUID() as AccountId);
  const unknownTemplate = { ...mailTo(id), template: 'constructor' };
  const wrongData = { ...mailTo(id), template: 'refund', data: { back: 7 } };
  const all = [null, noAccount, unknownTemplate, wrongData, mailTo(id)];
  expect(await deliver(all)).toMatchObject({ ackAll: true });
  expect(vendor.inbox(email)).toHaveLength(1);
  const states = lines().map((line) => JSON.parse(line).state);
  expect(states.sort()).toEqual(['malformed', 'malformed', 'malformed', 'no_account', 'sent']);
});

test('e-mail consumer: no log line holds the address or the code', async () => {
  const lines = captureLog();
  const vendor = stubMailVendor();
  const { id, email } = await newAccount('canary@example.com');
  vendor.nextFaults.push(422, 500);
  await deliver([mailTo(id), mailTo(id), mailTo(id)]);
  const [mail, ...others] = vendor.inbox(email);
  expect(others).toEqual([]);
  const code = /#([\w-]{22})/.exec(mail?.text ?? '')?.[1] ?? '';
  expect(lines().length).toBeGreaterThan(2);
  expect(lines().join()).not.toMatch(new RegExp(`canary|${code}`));
});
