import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { accessToken } from '../../../worker/accounts/access-token.ts';
import { createCode } from '../../../worker/accounts/one-time-codes.ts';
import { emailDigits } from '../../../worker/email/enqueue-email.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { deliver, stubMailVendor } from '../email/email-fixture.ts';
import { refusalOf } from '../request.ts';
import { accountRow, later } from './account-fixture.ts';
import { type Browser, browser, dataOf, newEmail, signedUp } from './browser.ts';

const minute = 60_000;
const wrong = (digits: string) => (digits === '000000' ? '111111' : '000000');

/** A signed-up browser, and the digits of its latest e-mail. */
async function signUp(one: Browser = browser(), email = newEmail()) {
  const { access_token, entity } = await signedUp(one, email);
  const id = entity.external_user_id as AccountId;
  const mail = async (token = access_token) => {
    expect((await one.send('/users/me/mailbox-code', {}, token)).status).toBe(202);
    return emailDigits(env.TOKEN_SECRET, one.sent.at(-1)?.id ?? '');
  };
  const confirm = (digits: string, token = access_token) =>
    one.send('/users/me/mailbox', { digits }, token);
  const list = (token: string) => one.read('/users/me/invitations', token);
  return { one, email, id, token: access_token, mail, confirm, list };
}

test('mailbox code: proves the mailbox, and the session goes on while every earlier one ends', async () => {
  const { id, token, mail, confirm, list } = await signUp();
  const digits = await mail();
  expect(digits).toMatch(/^\d{6}$/);
  const response = await confirm(`${digits.slice(0, 3)} ${digits.slice(3)}`);
  const { access_token } = await dataOf<{ access_token: string }>(response);
  expect(await accountRow(id)).toMatchObject({ epoch: 1, entered_without_mailbox: 1 });
  expect((await list(token)).status).toBe(401);
  expect(await (await list(access_token)).json()).toMatchObject({ email_verified: true });
  // Used up, and not needed again.
  const rows = env.DB.prepare('SELECT * FROM mailbox_codes WHERE account_id = ?').bind(id);
  expect((await rows.all()).results).toEqual([]);
  expect((await confirm('123456', access_token)).status).toBe(200);
});

test('mailbox code: is stored as a keyed hash only, and reaches the mailbox with a link of 3 days', async () => {
  const vendor = stubMailVendor();
  const { one, id, email, mail } = await signUp();
  const digits = await mail();
  const rows = env.DB.prepare('SELECT * FROM mailbox_codes WHERE account_id = ?').bind(id);
  expect(JSON.stringify((await rows.all()).results)).not.toContain(digits);
  expect(JSON.stringify(one.sent)).not.toContain(digits);
  await deliver(one.sent);
  const [sent] = vendor.inbox(email);
  expect(sent?.subject).toContain(digits);
  expect(sent?.text).toMatch(/\/m#[\w-]{22}/);
  const links = env.DB.prepare(
    'SELECT purpose, expires_at - created_at AS lifetime FROM one_time_codes WHERE account_id = ? AND purpose = ?',
  ).bind(id, 'sign_in');
  expect((await links.all()).results).toEqual([{ purpose: 'sign_in', lifetime: 72 * 60 * minute }]);
});

test('mailbox code: ends after five wrong tries, also at the same time, and with the next code', async () => {
  const { mail, confirm, id } = await signUp();
  const digits = await mail();
  const tries = Array.from({ length: 5 }, () => confirm(wrong(digits)));
  for (const response of await Promise.all(tries))
    expect(await refusalOf(response)).toContain('mailbox_code_wrong');
  expect((await confirm(digits)).status).toBe(422);
  const next = await mail();
  if (next !== digits) expect((await confirm(digits)).status).toBe(422);
  expect(await accountRow(id)).toMatchObject({ epoch: 0, verified_at: null });
  expect((await confirm(next)).status).toBe(200);
});

test('mailbox code: the session that typed it ends when a later link is opened in the mailbox', async () => {
  const { id, mail, confirm, list } = await signUp();
  const { access_token } = await dataOf<{ access_token: string }>(await confirm(await mail()));
  const terms = { account: id, epoch: 1, purpose: 'sign_in', lifetimeMs: minute } as const;
  const code = await createCode(env.DB, terms, Date.now());
  expect((await browser().send('/sign-in-link/open', { code })).status).toBe(200);
  expect((await list(access_token)).status).toBe(401);
});

test('mailbox code: ends after an hour', async () => {
  const { id, mail, confirm } = await signUp();
  const digits = await mail();
  later(60 * minute);
  const token = await accessToken(env, { account: id, epoch: 0 });
  expect((await confirm(digits, token)).status).toBe(422);
  vi.useRealTimers();
});

test('mailbox code: belongs to one account, and signs nobody in', async () => {
  const [mine, other] = [await signUp(), await signUp()];
  const [digits, others] = [await mine.mail(), await other.mail()];
  if (digits !== others) expect((await other.confirm(digits)).status).toBe(422);
  const anybody = browser();
  expect((await anybody.send('/users/me/mailbox', { digits })).status).toBe(401);
  expect((await mine.confirm(digits)).status).toBe(200);
});

test('mailbox code: three e-mails in 15 minutes, and each answer says when the next one is possible', async () => {
  const { one, token } = await signUp();
  const ask = () => one.send('/users/me/mailbox-code', {}, token);
  const waitMs = async () => (await dataOf<{ wait_ms: number }>(await ask())).wait_ms;
  expect([await waitMs(), await waitMs()]).toEqual([30_000, 30_000]);
  const last = await waitMs();
  expect(last).toBeGreaterThan(14 * minute);
  expect(await refusalOf(await ask())).toContain('too_many_emails');
  later(last);
  expect((await ask()).status).toBe(202);
  vi.useRealTimers();
});
