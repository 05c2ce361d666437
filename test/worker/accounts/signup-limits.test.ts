import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { mailQueue } from '../email/email-fixture.ts';
import { post, refusalOf } from '../request.ts';
import { newAccount, verify } from './account-fixture.ts';
import { browser, signedUp } from './browser.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = 1_800_000_000_000;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await env.DB.prepare('DELETE FROM rate_counts').run();
});
let last = 0;
/** An IP address that no other test uses. */
const newAddress = () => {
  last += 1;
  return { 'cf-connecting-ip': `198.51.100.${last}` };
};
const newEmail = () => `${crypto.randomUUID()}@example.com`;
const signUp = async (email: string, headers: Record<string, string>) => {
  const who = { email, user_uuid: crypto.randomUUID(), landing_type: 'split_fullPrice' };
  const response = await post('/signup', who, headers);
  return response.status === 200 ? 'new' : (await refusalOf(response))[1];
};
const accounts = (count: number) => Promise.all(Array.from({ length: count }, () => newAccount()));

test('sign-up limits: an IP gets email_taken five times an hour', async () => {
  const here = newAddress();
  const known = await accounts(6);
  const codes = [];
  for (const { email } of known) codes.push(await signUp(email, here));
  expect(codes).toEqual([...Array(5).fill('email_taken'), 'too_many_signups']);
  // The response is the same with or without an account.
  expect(await signUp(newEmail(), here)).toBe('too_many_signups');
  expect(await signUp(newEmail(), newAddress())).toBe('new');
  vi.setSystemTime(start + hour);
  expect(await signUp(newEmail(), here)).toBe('new');
});

test('sign-up limits: parallel refusals do not reveal accounts', async () => {
  const here = newAddress();
  const known = (await accounts(14)).map(({ email }) => email);
  const unknown = Array.from({ length: 14 }, newEmail);
  const all = [...known, ...unknown].map((email) => signUp(email, here));
  const codes = await Promise.all(all);
  expect(codes.filter((code) => code === 'email_taken').length).toBeLessThanOrEqual(5);
  expect(codes.slice(known.length)).toContain('too_many_signups');
});

test('sign-up limits: new accounts do not use up email_taken answers', async () => {
  const here = newAddress();
  for (let at = 0; at < 8; at += 1) expect(await signUp(newEmail(), here)).toBe('new');
  const codes = [];
  for (const { email } of await accounts(6)) codes.push(await signUp(email, here));
  expect(codes).toEqual([...Array(5).fill('email_taken'), 'too_many_signups']);
});

test('sign-up limits: a /48 has ten times the limit of a /64', async () => {
  const codes = [];
  const known = await accounts(51);
  for (const [at, { email }] of known.entries()) {
    const network = { 'cf-connecting-ip': `2001:db8:7:${at.toString(16)}::1` };
    codes.push(await signUp(email, network));
  }
  expect(codes).toEqual([...Array(50).fill('email_taken'), 'too_many_signups']);
  expect(await signUp(newEmail(), { 'cf-connecting-ip': '2001:db8:8::1' })).toBe('new');
});

test('sign-up limits: a mailbox is reported as email_taken ten times an hour', async () => {
  const { email } = await newAccount();
  const codes = [];
  for (let at = 0; at < 11; at += 1) codes.push(await signUp(email, newAddress()));
  expect(codes.filter((code) => code === 'email_taken')).toHaveLength(10);
  expect(codes.at(-1)).toBe('too_many_signups');
});

test('sign-up limits: an IP creates at most 60 accounts an hour', {
  timeout: 600_000,
}, async () => {
  const here = newAddress();
  const fill = env.DB.prepare(
    `INSERT INTO rate_counts (name, used_at)
     SELECT name, used_at FROM rate_counts, json_each(?) WHERE name LIKE 'sign-up address%'`,
  );
  expect(await signUp(newEmail(), here)).toBe('new');
  await fill.bind(JSON.stringify(Array(58).fill(0))).run();
  expect(await signUp(newEmail(), here)).toBe('new');
  expect(await signUp(newEmail(), here)).toBe('too_many_signups');
});

test('sign-up limits: during a surge each IP still gets two answers', async () => {
  const fill = `INSERT INTO rate_counts (name, used_at) SELECT 'email-taken all', ? FROM json_each(?)`;
  await env.DB.prepare(fill)
    .bind(start, JSON.stringify(Array(1000).fill(0)))
    .run();
  const here = newAddress();
  const codes = [];
  for (const { email } of await accounts(3)) codes.push(await signUp(email, here));
  expect(codes).toEqual(['email_taken', 'email_taken', 'too_many_signups']);
  expect(await signUp(newEmail(), newAddress())).toBe('new');
});

test('e-mail limits: a requester gets three e-mails to a mailbox in 15 minutes and five a day', async () => {
  const { more, sent } = mailQueue();
  const [{ email }, headers] = [await newAccount(), newAddress()];
  const requests = [
    () => post('/sign-in-link', { email }, headers, more),
    () => post('/sign-in-link', { email: email.toUpperCase(), for: 'manage' }, headers, more),
    () => post('/sign-in-link', { email }, headers, more),
  ];
  const counts = [];
  for (const [index, at] of [0, 5, 10, 14, 30, 45, 50, 23 * 60].entries()) {
    vi.setSystemTime(start + at * minute);
    await requests[index % requests.length]?.();
    counts.push(sent.length);
  }
  expect(counts).toEqual([1, 2, 3, 3, 4, 5, 5, 5]);
});

/** Requests until no more e-mails are sent. @returns how many were sent */
async function drain(email: string, requesters: Record<string, string>[], page?: string) {
  const { more, sent } = mailQueue();
  for (const headers of requesters)
    for (let at = 0; at < 5; at += 1)
      await post('/sign-in-link', { email, for: page }, headers, more);
  return sent.length;
}

const strangers = (count: number) => Array.from({ length: count }, newAddress);

test('e-mail limits: strangers do not use up the e-mails of the owner’s browser, session or another network', async () => {
  const own = browser();
  const email = newEmail();
  const { access_token } = await signedUp(own, email);
  expect(await drain(email, strangers(1))).toBe(3);
  expect(await drain(email, strangers(1))).toBe(3);
  expect(await drain(email, strangers(20))).toBe(14);
  expect(await drain(email, strangers(1))).toBe(0);
  expect(await drain(email, [{ cookie: `userUuid=${own.uuid}` }])).toBe(0);
  const { more, sent } = mailQueue();
  const headers = { authorization: `Bearer ${access_token}` };
  await post('/users/me/deeplink/email', {}, headers, more);
  expect(sent).toHaveLength(1);
  expect(await drain(email, [{ cookie: own.cookie }])).toBe(2);
});

test('e-mail limits: whoever cancels gets a link, however many strangers asked for links', async () => {
  const { email } = await newAccount();
  const here = newAddress();
  await drain(email, [here, ...strangers(20)]);
  await drain(email, strangers(20), 'cancel');
  const fill = `INSERT INTO rate_counts (name, used_at) SELECT 'mail all', ? FROM json_each(?)`;
  await env.DB.prepare(fill)
    .bind(start, JSON.stringify(Array(1000).fill(0)))
    .run();
  expect(await drain(email, strangers(1), 'cancel')).toBe(3);
  expect(await drain(email, [here], 'cancel')).toBe(3);
});

test('e-mail limits: an IPv6 requester is a /48', async () => {
  const { email } = await newAccount();
  const same = [1, 2, 3].map((at) => ({ 'cf-connecting-ip': `2001:db8:77:${at}::1` }));
  expect(await drain(email, same)).toBe(3);
  expect(await drain(email, [{ 'cf-connecting-ip': '2001:db8:78::1' }])).toBe(3);
});

test('e-mail limits: a new account of the mailbox gets no more e-mails', async () => {
  const { more, sent } = mailQueue();
  const email = newEmail();
  for (let at = 0; at < 3; at += 1) {
    const { headers, id } = await newAccount(email);
    await verify(id);
    for (let time = 0; time < 2; time += 1) await post('/sign-in-link', { email }, {}, more);
    await post('/users/me/delete', {}, headers);
  }
  expect(sent).toHaveLength(3);
});

test('e-mail limits: an IP may send ten requests an hour', async () => {
  const { more, sent } = mailQueue();
  const here = newAddress();
  const known = await accounts(10);
  for (const { email } of known) {
    expect((await post('/sign-in-link', { email }, here, more)).status).toBe(202);
  }
  const answers = [newEmail(), (await newAccount()).email].map((email) =>
    post('/sign-in-link', { email }, here, more),
  );
  for (const response of await Promise.all(answers)) {
    expect((await refusalOf(response)).slice(0, 2)).toEqual([429, 'too_many_emails']);
  }
  expect(sent).toHaveLength(10);
  const { email } = await newAccount();
  expect((await post('/sign-in-link', { email }, newAddress(), more)).status).toBe(202);
});

test('e-mail limits: other spellings of a mailbox share its limit', async () => {
  const { more, sent } = mailQueue();
  const name = crypto.randomUUID().replaceAll('-', '');
  const spellings = [
    `${name}@gmail.com`,
    `${name}+1@gmail.com`,
    `${name.slice(0, 4)}.${name.slice(4)}@gmail.com`,
    `${name}+2@googlemail.com`,
    `${name.toUpperCase()}@Gmail.com`,
  ];
  const here = newAddress();
  for (const email of spellings) {
    await newAccount(email);
    await post('/sign-in-link', { email }, here, more);
  }
  expect(sent).toHaveLength(3);
});

test('e-mail limits: requests with a session count for the IP too', async () => {
  const { more, sent } = mailQueue();
  const here = newAddress();
  const answers = [];
  for (const { headers } of await accounts(11)) {
    answers.push(
      (await post('/users/me/deeplink/email', {}, { ...headers, ...here }, more)).status,
    );
  }
  expect(answers).toEqual([...Array(10).fill(202), 429]);
  expect(sent).toHaveLength(10);
});

test('manual code: a wrong code causes the same D1 calls with and without an account', async () => {
  const { email } = await newAccount();
  const calls = async (tried: string) => {
    const emails: string[] = [];
    const prepare = (sql: string) => {
      emails.push(sql);
      return env.DB.prepare(sql);
    };
    const DB = { prepare, batch: env.DB.batch.bind(env.DB) } as unknown as typeof env.DB;
    const wrong = await post('/deeplink/redeem', { code: 'ACDE-3467', email: tried }, {}, { DB });
    expect((await refusalOf(wrong))[1]).toBe('manual_code_wrong');
    return emails;
  };
  expect(await calls(newEmail())).toEqual(await calls(email));
});

test('e-mail limits: at most 1,000 e-mails an hour are sent in all', async () => {
  const { more, sent } = mailQueue();
  const fill = `INSERT INTO rate_counts (name, used_at) SELECT 'mail all', ? FROM json_each(?)`;
  await env.DB.prepare(fill)
    .bind(start, JSON.stringify(Array(999).fill(0)))
    .run();
  for (const { email } of await accounts(2)) await post('/sign-in-link', { email }, {}, more);
  expect(sent).toHaveLength(1);
});

test('sign-up limits: stored names reveal no IP and no mailbox', async () => {
  const { email } = await newAccount();
  const here = newAddress();
  await signUp(email, here);
  await post('/sign-in-link', { email }, here, mailQueue().more);
  const { results } = await env.DB.prepare('SELECT name FROM rate_counts').all<{ name: string }>();
  expect(results.length).toBeGreaterThan(4);
  const written = JSON.stringify(results);
  for (const part of [email, email.split('@')[0] ?? '', '198.51']) {
    expect(written).not.toContain(part);
  }
});
