import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { emailCode } from '../../../worker/email/email-code.ts';
import type { EmailMessage } from '../../../worker/email/enqueue-email.ts';
import { newAccount } from '../accounts/account-fixture.ts';
import { deliver, openPostOffice } from './email-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Everything that is written from here on. */
function listen() {
  const levels = ['info', 'warn', 'error'] as const;
  const spies = levels.map((level) => vi.spyOn(console, level).mockReturnValue());
  return () => spies.flatMap(({ mock }) => mock.calls.map(String));
}

const mailTo = (account: string, more: Partial<EmailMessage> = {}): EmailMessage => ({
  id: crypto.randomUUID(),
  letter: 'sign_in',
  account,
  site: 'https://funnel.test',
  until: null,
  data: null,
  ...more,
});

test('a mail reaches the owner of its account, with its link', async () => {
  listen();
  const office = openPostOffice();
  const { id, email } = await newAccount();
  const asked = mailTo(id);
  const code = await emailCode(env.TOKEN_SECRET, asked.id);
  expect(await deliver([asked])).toEqual({ ackAll: true, again: [] });
  const [mail] = office.inbox(email);
  expect(mail?.text).toContain(`https://funnel.test/m#${code}`);
  expect(mail?.html).toContain(`href="https://funnel.test/m#${code}"`);
});

test('a message that comes twice, or ten times at once, is one mail', async () => {
  listen();
  const office = openPostOffice();
  const { id, email } = await newAccount();
  const mail = mailTo(id);
  await deliver([mail, structuredClone(mail)]);
  await Promise.all(Array.from({ length: 9 }, () => deliver([structuredClone(mail)])));
  expect(office.inbox(email)).toHaveLength(1);
});

test.each([500, 'lost'] as const)(
  'with the vendor in trouble (%s) it comes again',
  async (kind) => {
    const lines = listen();
    const office = openPostOffice();
    const { id, email } = await newAccount();
    const [first, second] = [mailTo(id), mailTo(id, { letter: 'app_link' })];
    office.trouble.push(kind);
    expect(await deliver([first, second])).toEqual({ ackAll: false, again: ['m0'] });
    expect(await deliver([first, second])).toEqual({ ackAll: true, again: [] });
    expect(office.inbox(email)).toHaveLength(2);
    expect(lines().join()).toContain('email_failed');
  },
);

test('sent but not noted is not sent again', async () => {
  listen();
  const office = openPostOffice();
  const { id, email } = await newAccount();
  const mail = mailTo(id);
  const forgetful = new Proxy(env.DB, {
    get: (db, key) =>
      key === 'batch' ? () => Promise.reject(new Error('D1')) : Reflect.get(db, key, db).bind(db),
  });
  expect(await deliver([mail], { DB: forgetful })).toMatchObject({ again: ['m0'] });
  expect(await deliver([mail])).toMatchObject({ ackAll: true });
  expect(office.inbox(email)).toHaveLength(1);
});

test('a link that is over by now does not go out', async () => {
  const lines = listen();
  const office = openPostOffice();
  const { id, email } = await newAccount();
  expect(await deliver([mailTo(id, { until: Date.now() - 1 })])).toMatchObject({ ackAll: true });
  expect(office.inbox(email)).toEqual([]);
  expect(lines().join()).toContain('"state":"late"');
});

test('what can never be sent is dropped with a line, and holds nobody up', async () => {
  const lines = listen();
  const office = openPostOffice();
  const { id, email } = await newAccount();
  const nobody = mailTo(crypto.randomUUID());
  const strange = { ...mailTo(id), letter: 'constructor' };
  const wrong = { ...mailTo(id), letter: 'refunded', data: { back: 7 } };
  const all = [null, nobody, strange, wrong, mailTo(id)];
  expect(await deliver(all)).toMatchObject({ ackAll: true });
  expect(office.inbox(email)).toHaveLength(1);
  const states = lines().map((line) => JSON.parse(line).state);
  expect(states.sort()).toEqual(['malformed', 'malformed', 'malformed', 'no_account', 'sent']);
});

test('no line of log holds the address or the code', async () => {
  const lines = listen();
  const office = openPostOffice();
  const { id, email } = await newAccount('canary@example.com');
  office.trouble.push(422, 500);
  await deliver([mailTo(id), mailTo(id), mailTo(id)]);
  const [mail, ...others] = office.inbox(email);
  expect(others).toEqual([]);
  const code = /#([\w-]{22})/.exec(mail?.text ?? '')?.[1] ?? '';
  expect(lines().length).toBeGreaterThan(2);
  expect(lines().join()).not.toMatch(new RegExp(`canary|${code}`));
});
