import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { maskEmail } from '../../../worker/accounts/check-code.ts';
import { deliver, mailQueue, stubMailVendor } from '../email/email-fixture.ts';
import { post, request } from '../request.ts';
import { newAccount } from './account-fixture.ts';

const replaced = { TOKEN_SECRET: 'a new secret, also of 32 characters' };
const both = { ...replaced, TOKEN_SECRET_PREVIOUS: env.TOKEN_SECRET };

test('secret rotation: a manual code shown before still works', async () => {
  const { email, headers } = await newAccount();
  const shown = await request('/api/v1/users/me/manual-code', { headers });
  const { data } = (await shown.json()) as { data: { code: string } };
  const typed = { email, code: data.code };
  expect((await post('/deeplink/redeem', typed, {}, replaced)).status).toBe(422);
  expect((await post('/deeplink/redeem', typed, {}, both)).status).toBe(200);
});

test('secret rotation: a queued e-mail contains its stored code', async () => {
  const office = stubMailVendor();
  const { more, sent } = mailQueue();
  const { email } = await newAccount();
  await post('/sign-in-link', { email }, {}, more);
  await deliver(sent, both);
  const code = /#([\w-]{22})/.exec(office.inbox(email)[0]?.text ?? '')?.[1];
  expect((await post('/sign-in-link/open', { code }, {}, both)).status).toBe(200);
});

test.each([
  ['person@example.org', 'p…@example.org'],
  ['a@example.org', 'a…@example.org'],
  ['"a@b"@example.org', '"…@example.org'],
])('maskEmail: %s becomes %s', (email, masked) => expect(maskEmail(email)).toBe(masked));
