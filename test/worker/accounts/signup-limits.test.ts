import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { mailQueue } from '../email/email-fixture.ts';
import { post, refusalOf } from '../request.ts';
import { newAccount, verify } from './account-fixture.ts';
import { browser, knowing, signedUp } from './browser.ts';

const hour = 60 * 60_000;
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
/** Counts each use of a limit so many times more. */
const repeat = (name: string, times: number) =>
  env.DB.prepare(
    `INSERT INTO rate_counts (name, used_at) SELECT name, used_at FROM rate_counts, json_each(?)
     WHERE name LIKE ? AND name NOT LIKE '% all'`,
  )
    .bind(JSON.stringify(Array(times).fill(0)), `${name} %`)
    .run();
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
  for (const [at, { email }] of (await accounts(3)).entries()) {
    codes.push(await signUp(email, { 'cf-connecting-ip': `2001:db8:7:${at}::1` }));
    if (at === 0) await repeat('email-taken', 48);
  }
  expect(codes).toEqual(['email_taken', 'email_taken', 'too_many_signups']);
  expect(await signUp(newEmail(), { 'cf-connecting-ip': '2001:db8:8::1' })).toBe('new');
});

test('sign-up limits: strangers do not keep the owner from hearing that the mailbox has an account', async () => {
  const { email } = await newAccount();
  const codes = [];
  for (let at = 0; at < 15; at += 1) codes.push(await signUp(email, newAddress()));
  expect(codes).toEqual(Array(15).fill('email_taken'));
});

test('sign-up limits: strangers on the network do not keep the account’s own browser out', async () => {
  const here = newAddress();
  const [own, verified] = [browser(), browser()];
  const [email, verifiedEmail] = [newEmail(), newEmail()];
  await signedUp(own, email);
  await verify((await signedUp(verified, verifiedEmail)).entity.external_user_id);
  for (const { email: other } of await accounts(6)) await signUp(other, here);
  expect(await signUp(email, here)).toBe('too_many_signups');
  expect(await signUp(email, { ...here, cookie: knowing(own).cookie })).toBe('too_many_signups');
  expect(await signUp(email, { ...here, cookie: own.cookie })).toBe('new');
  expect(await signUp(verifiedEmail, { ...here, cookie: verified.cookie })).toBe('email_taken');
});

test('sign-up limits: an IP creates at most 60 accounts an hour', async () => {
  const here = newAddress();
  expect(await signUp(newEmail(), here)).toBe('new');
  await repeat('sign-up', 58);
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

test('sign-up limits: stored names reveal no IP and no mailbox', async () => {
  const { email } = await newAccount();
  const here = newAddress();
  await signUp(email, here);
  await post('/sign-in-link', { email }, here, mailQueue().more);
  const { results } = await env.DB.prepare('SELECT name FROM rate_counts').all<{ name: string }>();
  expect(results.length).toBeGreaterThan(4);
  const written = JSON.stringify(results);
  for (const part of [email, email.split('@')[0] ?? '', '198.51'])
    expect(written).not.toContain(part);
});
