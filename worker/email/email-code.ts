import { hmacOf } from '../http/hmac.ts';

/** Signs of a code: 132 bits. */
const length = 22;

/**
 * The code that a mail carries. It is made of the mail's id and the secret of the Worker, so that it
 * lies in no queue, and a mail that is sent again is the same mail.
 */
export const emailCode = async (secret: string, mail: string): Promise<string> =>
  (await hmacOf(secret, `mail-code|${mail}`)).slice(0, length);
