import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/platform/env.ts';
import { mailQueue } from '../email/email-fixture.ts';
import { post, statusAndCode } from '../request.ts';
import { sampled } from '../sampled.ts';
import { newAccount, verify } from './account-fixture.ts';
import { bearer, browser, knowing, signedUp } from './browser.ts';

type Headers = Record<string, string>;

const minute = 60_000;
const start = 1_800_000_000_000;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await env.DB.prepare('DELETE FROM rate_counts').run();
});
let last = 0;
/** A network that no other test uses. */
const network = (): Headers => {
  last += 1;
  return { 'cf-connecting-ip': `203.0.113.${last}` };
};
const networks = (count: number) => Array.from({ length: count }, network);
const newEmail = () => `${crypto.randomUUID()}@example.com`;
const accounts = (count: number) => Promise.all(Array.from({ length: count }, () => newAccount()));
const paid = {
  PURCHASES: { getByName: () => ({ everPaid: async () => true }) },
} as unknown as Partial<Env>;
const fill = (name: string, count: number) =>
  env.DB.prepare('INSERT INTO rate_counts (name, used_at) SELECT ?, ? FROM json_each(?)')
    .bind(name, start, JSON.stringify(Array(count).fill(0)))
    .run();

/** Requests `count` links as each requester. @returns how many e-mails were sent */
async function requested(
  email: string,
  requesters: Headers[],
  { page, count = 1, more: bindings = {} }: { page?: string; count?: number; more?: object } = {},
) {
  const { more, sent } = mailQueue();
  for (const headers of requesters)
    for (let at = 0; at < count; at += 1)
      await post('/sign-in-link', { email, for: page }, headers, { ...more, ...bindings });
  return sent.length;
}

test('e-mail limits: a requester gets three e-mails to a mailbox in 15 minutes and five a day', async () => {
  const { more, sent } = mailQueue();
  const [{ email }, headers] = [await newAccount(), network()];
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

const pages = [undefined, 'manage', 'cancel'];

/** Everything that strangers may do with the mailbox. @param here the owner's network */
const attacks: [string, (email: string, here: Headers) => Promise<unknown>][] = [
  ['a stranger on the same network', (email, here) => drain(email, [here])],
  ['a stranger on another network', (email) => drain(email, networks(1))],
  ['strangers on eight networks', (email) => drain(email, networks(8), 3)],
  [
    'strangers on the same network about other mailboxes',
    async (_email, here) => {
      for (const page of [undefined, 'cancel'])
        for (const { email } of await accounts(2))
          await requested(email, [here], { page, count: 6 });
    },
  ],
  ['a thousand strangers', () => fill('mail all stranger', 1000)],
  ['a thousand openers', () => fill('mail all opener', 1000)],
];

async function drain(email: string, from: Headers[], count = 6) {
  for (const page of pages) await requested(email, from, { page, count, more: paid });
}

test.each(sampled(attacks, 3))(
  'e-mail limits: %s cannot lock out the browser of a verified account',
  async (_who, attack) => {
    const [own, here, email] = [browser(), network(), newEmail()];
    await verify((await signedUp(own, email)).entity.external_user_id);
    await attack(email, here);
    const from = { ...here, cookie: own.cookie };
    for (const page of pages) expect(await requested(email, [from], { page })).toBe(1);
  },
);

test.each(sampled(attacks, 3, 1))(
  'e-mail limits: %s cannot lock out a buyer who confirms the e-mail',
  async (_who, attack) => {
    const [own, here, email] = [browser(), network(), newEmail()];
    const { access_token } = await signedUp(own, email);
    await attack(email, here);
    expect(await requested(email, [{ ...here, cookie: own.cookie }], { more: paid })).toBe(1);
    const { more, sent } = mailQueue();
    const session = { ...here, ...bearer(access_token) };
    await post('/users/me/deeplink/email', {}, session, { ...more, ...paid });
    expect(sent).toHaveLength(1);
  },
);

test.each(sampled(attacks.slice(0, 4), 4, 2))(
  'e-mail limits: %s cannot lock out a visitor who confirms before paying',
  async (_who, attack) => {
    const [own, here, email] = [browser(), network(), newEmail()];
    await signedUp(own, email);
    await attack(email, here);
    expect(await requested(email, [{ ...here, cookie: own.cookie }])).toBe(1);
  },
);

test.each(sampled(attacks, 3, 2))(
  'e-mail limits: after %s, a mailbox with a plan has a link to cancel',
  async (_who, attack) => {
    const [here, email] = [network(), newEmail()];
    await newAccount(email);
    await attack(email, here);
    vi.setSystemTime(start + 10 * minute);
    expect(await requested(email, [here], { page: 'cancel', more: paid })).toBe(1);
  },
);

/** Each account, and whether strangers cannot lock its owner out of a new browser. */
const owners: [string, boolean, object, number][] = [
  ['an unverified', false, {}, 0],
  ['a verified', true, {}, 1],
  ['a paid', false, paid, 1],
  ['a verified, paid', true, paid, 1],
];
const elsewhere = attacks.filter(
  ([who]) => !who.includes('same network') && !who.includes('opener'),
);

const lockouts = elsewhere.flatMap(([who, attack]) =>
  owners.map((owner) => [who, ...owner, attack] as const),
);

test.each(sampled(lockouts, 3))(
  'e-mail limits: after %s, the owner of %s account gets a link in a new browser: %s, %j: %i',
  async (who, _account, isVerified, more, count, attack) => {
    const [here, email] = [network(), newEmail()];
    const { id } = await newAccount(email);
    if (isVerified) await verify(id);
    await attack(email, here);
    vi.setSystemTime(start + 10 * minute);
    const isOpen = count > 0 || who === 'a stranger on another network';
    for (const page of ['manage', 'cancel'])
      expect([page, await requested(email, [here], { page, more })]).toEqual([page, +isOpen]);
  },
);

test('e-mail limits: the reserve of a paid account does not let one network send more', async () => {
  const { email } = await newAccount();
  await requested(email, networks(8), { count: 3, more: paid });
  const [one] = networks(1);
  let count = 0;
  for (let at = 1; at < 9; at += 1) {
    vi.setSystemTime(start + at * 10 * minute);
    count += await requested(email, [one ?? {}], { more: paid });
  }
  expect(count).toBe(5);
});

test('e-mail limits: strangers together get twenty e-mails to a mailbox, and a link to cancel each ten minutes', async () => {
  const { email } = await newAccount();
  expect(await requested(email, networks(11), { count: 2 })).toBe(20);
  const cancel = { page: 'cancel', more: paid };
  expect(await requested(email, networks(24), cancel)).toBe(21);
  vi.setSystemTime(start + 10 * minute);
  expect(await requested(email, networks(5), cancel)).toBe(1);
  expect(await requested(email, networks(5), { page: 'cancel' })).toBe(0);
});

test('e-mail limits: whoever knows the visitor id counts as a stranger', async () => {
  const [own, email] = [browser(), newEmail()];
  await signedUp(own, email);
  await requested(email, networks(20));
  expect(await requested(email, [{ cookie: knowing(own).cookie }])).toBe(0);
});

test('e-mail limits: whoever opens accounts for spellings of a mailbox sends it twenty e-mails', async () => {
  const name = crypto.randomUUID();
  let count = 0;
  for (let at = 0; at < 9; at += 1) {
    const [own, email] = [browser(), `${name}+${at}@example.com`];
    await signedUp(own, email);
    count += await requested(email, [{ cookie: own.cookie }], { count: 4 });
  }
  expect(count).toBe(20);
});

test('e-mail limits: the owner gets three e-mails in 15 minutes, and three to cancel', async () => {
  const [own, email] = [browser(), newEmail()];
  await verify((await signedUp(own, email)).entity.external_user_id);
  const from = [{ cookie: own.cookie }];
  expect(await requested(email, from, { count: 4 })).toBe(3);
  expect(await requested(email, from, { count: 4, page: 'cancel' })).toBe(3);
});

test('e-mail limits: an IPv6 requester is a /48', async () => {
  const { email } = await newAccount();
  const same = [1, 2, 3].map((at) => ({ 'cf-connecting-ip': `2001:db8:77:${at}::1` }));
  expect(await requested(email, same, { count: 5 })).toBe(3);
  expect(await requested(email, [{ 'cf-connecting-ip': '2001:db8:78::1' }], { count: 5 })).toBe(3);
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
  const here = network();
  for (const { email } of await accounts(10))
    expect((await post('/sign-in-link', { email }, here, more)).status).toBe(202);
  const answers = [newEmail(), (await newAccount()).email].map((email) =>
    post('/sign-in-link', { email }, here, more),
  );
  for (const response of await Promise.all(answers))
    expect(await statusAndCode(response)).toEqual([429, 'too_many_emails']);
  expect(sent).toHaveLength(10);
  const { email } = await newAccount();
  expect((await post('/sign-in-link', { email }, network(), more)).status).toBe(202);
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
  const here = network();
  for (const email of spellings) {
    await newAccount(email);
    await post('/sign-in-link', { email }, here, more);
  }
  expect(sent).toHaveLength(3);
});

test('e-mail limits: beyond the limit of the IP, an account that nobody proved gets one e-mail', async () => {
  const { more, sent } = mailQueue();
  const here = network();
  const answers = [];
  const known = await accounts(11);
  for (const { headers } of known) {
    answers.push(
      (await post('/users/me/deeplink/email', {}, { ...headers, ...here }, more)).status,
    );
  }
  const [first] = known;
  const again = await post('/users/me/deeplink/email', {}, { ...first?.headers, ...here }, more);
  expect([...answers, again.status]).toEqual([...Array(11).fill(202), 429]);
  expect(sent).toHaveLength(11);
});

test('e-mail limits: strangers get at most 1,000 e-mails an hour in all', async () => {
  const { more, sent } = mailQueue();
  await fill('mail all stranger', 999);
  for (const { email } of await accounts(2)) await post('/sign-in-link', { email }, {}, more);
  expect(sent).toHaveLength(1);
});
