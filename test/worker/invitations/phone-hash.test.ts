import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { phoneHash } from '../../../worker/invitations/invitation-index.ts';

const number = '+4915123456789';

test('phone hash: deterministic, and different for another number or secret', async () => {
  const key = await phoneHash(env, number);
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(await phoneHash(env, number)).toBe(key);
  expect(await phoneHash(env, '+4915123456788')).not.toBe(key);
  const other = { ...env, PHONE_HASH_SECRET: 'x'.repeat(32) };
  expect(await phoneHash(other, number)).not.toBe(key);
});

test.each([undefined, '', 'x'.repeat(31)])(
  'phone hash: with the secret %j invitations are off',
  async (secret) => {
    const more = { ...env, PHONE_HASH_SECRET: secret };
    await expect(phoneHash(more, number)).rejects.toMatchObject({ code: 'invitations_off' });
  },
);
