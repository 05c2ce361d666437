import { hmacOf } from '../http/hmac.ts';

/** Characters of a code: 132 bits. */
const length = 22;

/**
 * The one-time code in an e-mail's link. It is derived from the e-mail's id and the Worker's secret,
 * so no queue stores it, and a retry sends the same code.
 */
export const emailCode = async (secret: string, emailId: string): Promise<string> =>
  (await hmacOf(secret, 'email-code', emailId)).slice(0, length);
