import { createHash } from 'node:crypto';

/** KV key of a sign-in link that `npm start` made; it exists until the link is used. */
export const signInKey = (code: string): string =>
  `console/sign-in/${createHash('sha256').update(code).digest('hex')}`;
