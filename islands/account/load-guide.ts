import type { GuideText } from '../../locales/index.ts';
import { call, errorCode } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/**
 * `missing`: the account did not buy the guide; `signed_out`: no session; `failed`: no response.
 */
export type NoGuide = 'missing' | 'signed_out' | 'failed';

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
