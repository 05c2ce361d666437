import type { CodeInspection } from '../../worker/accounts/inspect-code.ts';
import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/**
 * Has a link mailed to whoever has an account with this e-mail, or to whom an older link belongs.
 * The answer never says whether anybody has.
 */
export async function requestSignInLink(
  who: ({ email: string } | { code: string }) & { for?: 'manage' | 'cancel' },
): Promise<void> {
  await call('/mail-link', { body: who });
}

/** How a link stands that signs in, and whose account it opens. Uses nothing up. */
export async function inspectSignInLink(code: string): Promise<CodeInspection> {
  const options = { body: { code }, bearer: $signup.get().token };
  return (await call<{ data: CodeInspection }>('/mail-link/check', options)).data;
}
