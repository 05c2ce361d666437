import type { GuideText } from '../../locales/index.ts';
import { call, errorCode } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/** Why there is nothing to read: not bought, nobody signed in, or no answer. */
export type NoGuide = 'missing' | 'signed_out' | 'failed';

/** The guide, for the account of this browser. */
export async function loadGuide(): Promise<GuideText | NoGuide> {
  const { token } = $signup.get();
  if (!token) return 'signed_out';
  try {
    return (await call<{ data: GuideText }>('/users/me/guide', { bearer: token })).data;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'unauthorized') return 'signed_out';
    return code === 'guide_not_owned' ? 'missing' : 'failed';
  }
}
