import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacBytesOf, hmacOf } from '../../../worker/http/hmac.ts';

const expected = createHmac('sha256', 'secret').update('visitor:text');

test('hmac: it is HMAC-SHA-256 of kind and text, in base64url without padding', async () => {
  const digest = expected.digest();
  expect(new Uint8Array(await hmacBytesOf('secret', 'visitor', 'text'))).toEqual(
    new Uint8Array(digest),
  );
  expect(await hmacOf('secret', 'visitor', 'text')).toBe(digest.toString('base64url'));
});

test('hmac: the same text of another kind has another hash', async () => {
  expect(await hmacOf('secret', 'visitor', 'text')).not.toBe(
    await hmacOf('secret', 'mailbox', 'text'),
  );
});
