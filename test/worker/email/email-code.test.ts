import { expect, test } from 'vitest';
import { emailCode } from '../../../worker/email/email-code.ts';

const secret = 'a secret of the tests, 32 characters';

test('e-mail codes: one e-mail has one code; another e-mail or secret has another', async () => {
  const code = await emailCode(secret, 'one');
  expect(code).toMatch(/^[\w-]{22}$/);
  expect(await emailCode(secret, 'one')).toBe(code);
  const others = [await emailCode(secret, 'two'), await emailCode(`${secret}.`, 'one')];
  expect(new Set([code, ...others]).size).toBe(3);
});
