import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newAccount } from './accounts.ts';
import { post, refusalOf } from './ask.ts';
import { listen } from './inviting.ts';
import { mailQueue } from './mailing.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = 1_800_000_000_000;

beforeEach(async () => {
  listen();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await env.DB.prepare('DELETE FROM rate_counts').run();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

let last = 0;
/** An address that no other test has. */
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

test('an address learns five times an hour that an e-mail has an account, and then nothing', async () => {
  const here = newAddress();
  const known = await accounts(6);
  const said = [];
  for (const { email } of known) said.push(await signUp(email, here));
  expect(said).toEqual([...Array(5).fill('email_taken'), 'signups_enough']);
  // Whether there is an account or not, the answer is the same.
  expect(await signUp(newEmail(), here)).toBe('signups_enough');
  expect(await signUp(newEmail(), newAddress())).toBe('new');
  vi.setSystemTime(start + hour);
  expect(await signUp(newEmail(), here)).toBe('new');
});

test('all at once are no more than five', async () => {
  const here = newAddress();
  const known = await accounts(20);
  const said = await Promise.all(known.map(({ email }) => signUp(email, here)));
  expect(said.filter((code) => code === 'email_taken')).toHaveLength(5);
});

test('many sign-ups at once do not tell who has an account by who is refused', async () => {
  const here = newAddress();
  const known = (await accounts(14)).map(({ email }) => email);
  const unknown = Array.from({ length: 14 }, newEmail);
  const all = [...known, ...unknown].map((email) => signUp(email, here));
  const said = await Promise.all(all);
  expect(said.filter((code) => code === 'email_taken').length).toBeLessThanOrEqual(5);
  expect(said.slice(known.length)).toContain('signups_enough');
});

test('new accounts leave an address the answers that it may get', async () => {
  const here = newAddress();
  for (let at = 0; at < 8; at += 1) expect(await signUp(newEmail(), here)).toBe('new');
  const said = [];
  for (const { email } of await accounts(6)) said.push(await signUp(email, here));
  expect(said).toEqual([...Array(5).fill('email_taken'), 'signups_enough']);
});

test('networks of one IPv6 site share ten times what one of them has', async () => {
  const said = [];
  const known = await accounts(51);
  for (const [at, { email }] of known.entries()) {
    const network = { 'cf-connecting-ip': `2001:db8:7:${at.toString(16)}::1` };
    said.push(await signUp(email, network));
  }
  expect(said).toEqual([...Array(50).fill('email_taken'), 'signups_enough']);
  expect(await signUp(newEmail(), { 'cf-connecting-ip': '2001:db8:8::1' })).toBe('new');
});

test('one mailbox is told ten times an hour, whoever asks', async () => {
  const { email } = await newAccount();
  const said = [];
  for (let at = 0; at < 11; at += 1) said.push(await signUp(email, newAddress()));
  expect(said.filter((code) => code === 'email_taken')).toHaveLength(10);
  expect(said.at(-1)).toBe('signups_enough');
});

test('an address opens sixty accounts an hour', { timeout: 600_000 }, async () => {
  const here = newAddress();
  const fill = env.DB.prepare(
    `INSERT INTO rate_counts (name, at)
     SELECT name, at FROM rate_counts, json_each(?) WHERE name LIKE 'sign-up address%'`,
  );
  expect(await signUp(newEmail(), here)).toBe('new');
  await fill.bind(JSON.stringify(Array(58).fill(0))).run();
  expect(await signUp(newEmail(), here)).toBe('new');
  expect(await signUp(newEmail(), here)).toBe('signups_enough');
});

test('during a surge every address still learns it twice, so that nobody shuts the sign-up', async () => {
  const fill = `INSERT INTO rate_counts (name, at) SELECT 'taken all', ? FROM json_each(?)`;
  await env.DB.prepare(fill)
    .bind(start, JSON.stringify(Array(1000).fill(0)))
    .run();
  const here = newAddress();
  const said = [];
  for (const { email } of await accounts(3)) said.push(await signUp(email, here));
  expect(said).toEqual(['email_taken', 'email_taken', 'signups_enough']);
  expect(await signUp(newEmail(), newAddress())).toBe('new');
});

test('one mailbox gets three mails in 15 minutes and five a day, whatever they are for', async () => {
  const { more, sent } = mailQueue();
  const { email, headers } = await newAccount();
  const asked = [
    () => post('/mail-link', { email }, newAddress(), more),
    () => post('/mail-link', { email: email.toUpperCase(), for: 'manage' }, newAddress(), more),
    () => post('/users/me/deeplink/mail', {}, headers, more),
  ];
  for (let at = 0; at < 24 * hour; at += 5 * minute) {
    vi.setSystemTime(start + at);
    const ask = asked[(at / minute) % asked.length];
    // A token lives an hour: what is asked by it later is refused without a mail.
    await ask?.();
    if (at === 10 * minute) expect(sent).toHaveLength(3);
  }
  expect(sent).toHaveLength(5);
});

test('deleting the account and signing up again buys no more mails', async () => {
  const { more, sent } = mailQueue();
  const email = newEmail();
  for (let at = 0; at < 3; at += 1) {
    const { headers } = await newAccount(email);
    for (let time = 0; time < 2; time += 1) await post('/mail-link', { email }, {}, more);
    await post('/users/me/delete', {}, headers);
  }
  expect(sent).toHaveLength(3);
});

test('one address asks for ten mails an hour, and is told so', async () => {
  const { more, sent } = mailQueue();
  const here = newAddress();
  const known = await accounts(10);
  for (const { email } of known) {
    expect((await post('/mail-link', { email }, here, more)).status).toBe(202);
  }
  const answers = [newEmail(), (await newAccount()).email].map((email) =>
    post('/mail-link', { email }, here, more),
  );
  for (const answer of await Promise.all(answers)) {
    expect((await refusalOf(answer)).slice(0, 2)).toEqual([429, 'mails_enough']);
  }
  expect(sent).toHaveLength(10);
  const { email } = await newAccount();
  expect((await post('/mail-link', { email }, newAddress(), more)).status).toBe(202);
});

test('accounts of one mailbox under other spellings share its mails', async () => {
  const { more, sent } = mailQueue();
  const name = crypto.randomUUID().replaceAll('-', '');
  const spellings = [
    `${name}@gmail.com`,
    `${name}+1@gmail.com`,
    `${name.slice(0, 4)}.${name.slice(4)}@gmail.com`,
    `${name}+2@googlemail.com`,
    `${name.toUpperCase()}@Gmail.com`,
  ];
  for (const email of spellings) {
    await newAccount(email);
    await post('/mail-link', { email }, newAddress(), more);
  }
  expect(sent).toHaveLength(3);
});

test('the ten mails of an address count those that it asks for in accounts that it opened', async () => {
  const { more, sent } = mailQueue();
  const here = newAddress();
  const answers = [];
  for (const { headers } of await accounts(11)) {
    answers.push((await post('/users/me/deeplink/mail', {}, { ...headers, ...here }, more)).status);
  }
  expect(answers).toEqual([...Array(10).fill(202), 429]);
  expect(sent).toHaveLength(10);
});

test('a code by hand takes the same calls for an e-mail with an account as for one without', async () => {
  const { email } = await newAccount();
  const calls = async (tried: string) => {
    const made: string[] = [];
    const prepare = (sql: string) => {
      made.push(sql);
      return env.DB.prepare(sql);
    };
    const DB = { prepare, batch: env.DB.batch.bind(env.DB) } as unknown as typeof env.DB;
    const wrong = await post('/deeplink/redeem', { code: 'ACDE-3467', email: tried }, {}, { DB });
    expect((await refusalOf(wrong))[1]).toBe('hand_code_wrong');
    return made;
  };
  expect(await calls(newEmail())).toEqual(await calls(email));
});

test('all mails that anybody may ask for are a thousand an hour', async () => {
  const { more, sent } = mailQueue();
  const fill = `INSERT INTO rate_counts (name, at) SELECT 'mail all', ? FROM json_each(?)`;
  await env.DB.prepare(fill)
    .bind(start, JSON.stringify(Array(999).fill(0)))
    .run();
  for (const { email } of await accounts(2)) await post('/mail-link', { email }, {}, more);
  expect(sent).toHaveLength(1);
});

test('no address and no mailbox can be read in what is counted', async () => {
  const { email } = await newAccount();
  const here = newAddress();
  await signUp(email, here);
  await post('/mail-link', { email }, here, mailQueue().more);
  const { results } = await env.DB.prepare('SELECT name FROM rate_counts').all<{ name: string }>();
  expect(results.length).toBeGreaterThan(4);
  const written = JSON.stringify(results);
  for (const part of [email, email.split('@')[0] ?? '', '198.51']) {
    expect(written).not.toContain(part);
  }
});
