import { reissueDeeplink } from '../app-link/deeplink.ts';
import { call } from '../runtime/api.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';
import { shareSession } from '../stores/session.ts';
import { $signup, sessionToken } from '../stores/signup.ts';
import { loadInvitations } from './requester-store.ts';

/** @returns in how many ms the next one is possible */
export async function emailMailboxCode(): Promise<number> {
  const sent = { body: {}, bearer: sessionToken() };
  const { data } = await call<{ data: { wait_ms: number } }>('/users/me/mailbox-code', sent);
  return data.wait_ms;
}

/** The session continues with a new token, because the confirmation ends all others. Throws the refusal. */
export async function confirmMailbox(digits: string): Promise<void> {
  const sent = { body: { digits }, bearer: sessionToken() };
  const { data } = await call<{ data: { access_token: string } }>('/users/me/mailbox', sent);
  const { userId, own } = $signup.get();
  const { access_token: token } = data;
  updateSlice('signup', own ? { own: token } : { token, deeplinkUrl: '', deeplinkQR: '' });
  shareSession({ userId, token });
  // The app's link ended too. Without a new one its step of the page offers another try.
  const failed = (error: unknown) => console.warn('deeplink failed', error);
  await Promise.all([loadInvitations(), reissueDeeplink().catch(failed)]);
}
