import { call } from '../runtime/api.ts';

/**
 * Has a link mailed to whoever has an account with this e-mail, or to whom an older link belongs.
 * The answer never says whether anybody has.
 */
export async function askMailLink(
  who: ({ email: string } | { code: string }) & { for?: 'manage' | 'cancel' },
): Promise<void> {
  await call('/mail-link', { body: who });
}
