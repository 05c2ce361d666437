import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { accountById } from '../../../worker/accounts/account-table.ts';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { codeOf, mailQueue } from '../email/email-fixture.ts';
import { post, refusalOf, request, statusAndCode } from '../request.ts';
import { later, newAccount, verify } from './account-fixture.ts';

const minute = 60_000;
const askFor = (body: object, more: object) => post('/sign-in-link', body, {}, more);
const openWith = (code: unknown, more: object = {}) =>
  post('/sign-in-link/open', { code }, {}, more);

/** A visitor whose e-mail has an account, and the e-mailed code. */
async function mailed() {
  const { more, sent } = mailQueue();
  const account = await newAccount();
  await askFor({ email: account.email }, more);
  return { ...account, more, sent, code: await codeOf(sent[0]) };
}

test('sign-in link: is e-mailed to the account, ignoring case', async () => {
  const { more, sent } = mailQueue();
  const { id, email } = await newAccount();
  expect((await askFor({ email: email.toUpperCase() }, more)).status).toBe(202);
  expect(sent).toEqual([
    {
      id: expect.any(String),
      template: 'sign_in',
      account: id,
      site: 'http://localhost',
      until: expect.closeTo(Date.now() + 15 * minute, -5),
      data: null,
    },
  ]);
});

test('sign-in link: the response does not reveal an account, a limit or a failing queue', async () => {
  const { more, sent, queue } = mailQueue();
  const { email } = await newAccount();
  const bodies = [{ email: 'nobody@example.com' }, { email }, { email }, { email }, { email }];
  const answers = [];
  for (const body of [...bodies, { code: 'unknown' }]) answers.push(await askFor(body, more));
  queue.down = true;
  answers.push(await askFor({ email: (await newAccount()).email }, more));
  const first = () => Promise.reject(new Error('D1'));
  const broken = { ...more, DB: { prepare: () => ({ bind: () => ({ first }) }) } };
  answers.push(await askFor({ email }, broken));
  const codes = await Promise.all(
    answers.map(async (response) => {
      const headers = [...response.headers].filter(([name]) => !/timing|cookie/.test(name));
      return JSON.stringify([response.status, headers, await response.text()]);
    }),
  );
  expect(new Set(codes).size).toBe(1);
  expect(sent).toHaveLength(3);
});

const armsIn = (response: Response) =>
  response.headers
    .getSetCookie()
    .flatMap((cookie) => /^arms=([^;]*)/.exec(decodeURIComponent(cookie))?.[1] ?? []);

test('sign-in link: another device gets the account’s experiments, which win over its own', async () => {
  const signIn = async (headers: Record<string, string>) => {
    const { id, code, more } = await mailed();
    await env.DB.prepare("UPDATE accounts SET arms = 'headline:b,theme:control' WHERE id = ?")
      .bind(id)
      .run();
    const response = await post('/sign-in-link/open', { code }, headers, more);
    expect(response.status).toBe(200);
    return armsIn(response);
  };
  expect(await signIn({})).toEqual(['headline:b.theme:control']);
  const cookie = 'arms=headline%3Acontrol.price%3Ab';
  expect(await signIn({ cookie })).toEqual(['headline:b.theme:control.price:b']);
  expect(await signIn({ 'cf-ipcountry': 'DE' })).toEqual([]);
  const { code } = await mailed();
  expect(armsIn(await openWith(code))).toEqual([]);
});

test('sign-in link: signs in once, and reports whether the plan is paid', async () => {
  const { code, id, email, userUuid } = await mailed();
  expect(await accountById(env.DB, id as AccountId)).toMatchObject({ verifiedAt: null, epoch: 0 });
  const response = await openWith(code);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { data } = (await response.json()) as { data: SignedUp };
  expect(data).toMatchObject({ email, paid: false, entity: { external_user_id: id } });
  expect(data.entity.uuid).not.toBe(userUuid);
  expect(await accountById(env.DB, id as AccountId)).toMatchObject({
    verifiedAt: expect.any(Number),
    epoch: 1,
    userUuid: data.entity.uuid,
  });
  const headers = { authorization: `Bearer ${data.access_token}` };
  expect((await request('/api/v1/users/me/payments-settings', { headers })).status).toBe(200);
  expect(await statusAndCode(openWith(code))).toEqual([410, 'sign_in_link_used']);
});

test('sign-in link: expires after 15 minutes, and requests a new one', async () => {
  const { code, more, sent } = await mailed();
  later(15 * minute);
  expect(await statusAndCode(openWith(code))).toEqual([410, 'sign_in_link_expired']);
  expect((await askFor({ code }, more)).status).toBe(202);
  expect((await openWith(await codeOf(sent[1]))).status).toBe(200);
});

test('sign-in link: a failing purchases object does not use the code up', async () => {
  const { code } = await mailed();
  const down = {
    getByName: () => ({ hasActiveMainPlan: () => Promise.reject(new Error('overloaded')) }),
  };
  expect((await openWith(code, { PURCHASES: down })).status).toBe(503);
  const paid = {
    getByName: () => ({ hasActiveMainPlan: async () => true, runningCurrency: async () => null }),
  };
  const { data } = (await (await openWith(code, { PURCHASES: paid })).json()) as {
    data: { paid: boolean };
  };
  expect(data.paid).toBe(true);
});

test('app link e-mail: an old link requests a new one for its owner', async () => {
  const { id, headers, more, sent } = await mailed();
  await post('/users/me/deeplink/email', {}, headers, more);
  const code = await codeOf(sent[1]);
  later(24 * 60 * minute);
  expect((await post('/deeplink/email', { code }, {}, more)).status).toBe(202);
  expect(sent[2]).toMatchObject({ template: 'app_link', account: id });
  expect((await post('/deeplink/redeem', { code: await codeOf(sent[2]) })).status).toBe(200);
});

test('app link e-mail: a session gets the refusal', async () => {
  const { more, queue } = mailQueue();
  const { headers } = await newAccount();
  const mail = () => post('/users/me/deeplink/email', {}, headers, more);
  queue.down = true;
  expect(await statusAndCode(mail())).toEqual([503, 'email_failed']);
  queue.down = false;
  expect([(await mail()).status, (await mail()).status]).toEqual([202, 202]);
  expect(await statusAndCode(mail())).toEqual([429, 'too_many_emails']);
  expect(await statusAndCode(post('/users/me/deeplink/email', {}))).toEqual([401, 'unauthorized']);
});

test.each([
  [{}, 400, 'malformed_body'],
  [{ code: 7 }, 400, 'malformed_body'],
])('sign-in link: the request %j is refused', async (body, status, code) => {
  expect(await statusAndCode(askFor(body, {}))).toEqual([status, code]);
});

test('sign-in link: can lead to /manage or /cancel', async () => {
  const { more, sent } = mailQueue();
  const { email } = await newAccount();
  await askFor({ email, for: 'cancel' }, more);
  await askFor({ email, for: 'manage' }, more);
  expect(sent.map(({ template }) => template)).toEqual(['cancel_link', 'manage_link']);
  expect((await openWith(await codeOf(sent[0]))).status).toBe(200);
});

test('other browser link: signs in once', async () => {
  const { headers, email } = await newAccount();
  const response = await post('/users/me/other-browser-link', {}, headers);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { data } = (await response.json()) as { data: { link: string } };
  const [, code] = /^http:\/\/localhost\/m#([\w-]{22})$/.exec(data.link) ?? [];
  const opened = await (await post('/sign-in-link/open', { code })).json();
  expect(opened).toMatchObject({ data: { email, paid: false } });
  const again = await refusalOf(await post('/sign-in-link/open', { code }));
  expect(again.slice(0, 2)).toEqual([410, 'sign_in_link_used']);
});

test('other browser link: requires a session', async () => {
  const refused = await refusalOf(await post('/users/me/other-browser-link', {}));
  expect(refused.slice(0, 2)).toEqual([401, 'unauthorized']);
});

test('sign-in link: check says whether the caller typed the address, and whether the link confirms it', async () => {
  const { id, email, code } = await mailed();
  const check = async (typed?: string) => {
    const response = await post('/sign-in-link/check', { code, email: typed });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    return [data.known_here, data.confirms];
  };
  expect(await check()).toEqual([false, true]);
  expect(await check('other@example.com')).toEqual([false, true]);
  expect(await check(email.toUpperCase())).toEqual([true, true]);
  await verify(id);
  expect(await check(email)).toEqual([true, false]);
});
