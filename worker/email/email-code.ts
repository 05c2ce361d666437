import { hmacOf } from '../http/hmac.ts';

/** Characters of a code: 132 bits. */
const length = 22;

/** Derived from the id and the secret, so no queue stores it, and a retry sends the same code. */
export const emailCode = async (secret: string, emailId: string): Promise<string> =>
  (await hmacOf(secret, 'email-code', emailId)).slice(0, length);
