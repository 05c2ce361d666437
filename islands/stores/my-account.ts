import type { HoldingView } from '../../worker/funnel/holding-view.ts';
import { call, errorCode } from '../runtime/api.ts';
import { $checkout } from './checkout.ts';
import { $signup } from './signup.ts';

interface Answer {
  data: { held: HoldingView[] };
}

const bearer = () => $signup.get().token;
/** Whether a mailed link is the way on: the session is over, or it is not the mailbox owner's. */
const mustSignIn = (error: unknown) =>
  errorCode(error) === 'unauthorized' || errorCode(error) === 'email_unverified';

/** What the account of this browser bought, or why that is not known. */
export async function loadHeld(): Promise<HoldingView[] | 'signed_out' | 'failed'> {
  if (!bearer()) return 'signed_out';
  try {
    return (await call<Answer>('/users/me/purchases', { bearer: bearer() })).data.held;
  } catch (error) {
    return mustSignIn(error) ? 'signed_out' : 'failed';
  }
}

const change = async (path: string, body: object) =>
  (await call<Answer>(path, { body, bearer: bearer() })).data.held;

/** Ends the renewals of a purchase; a plan's extras end with it. Tells all that is held. */
export const cancel = (attempt: string): Promise<HoldingView[]> =>
  change(`/users/me/subscriptions/${attempt}/cancel`, {});

/** Lets the renewals of a purchase go on that were to end. Tells all that is held. */
export const resume = (attempt: string): Promise<HoldingView[]> =>
  change(`/users/me/subscriptions/${attempt}/resume`, {});

/** Takes a purchase back. Tells all that is held. */
export const withdraw = (attempt: string): Promise<HoldingView[]> =>
  change('/users/me/withdrawal', { attempt });

/** Attempts that the guarantee gives back now; none where that is not known. */
export const guaranteedNow = (): Promise<string[]> =>
  call<{ data: { attempts: string[] } }>('/users/me/guarantee', { bearer: bearer() }).then(
    ({ data }) => data.attempts,
    () => [],
  );

/** Asks for the money of the plan and all that was added to it, because nobody agreed. */
export async function claim(): Promise<HoldingView[]> {
  const held = await change('/users/me/guarantee', {});
  $checkout.setKey('isSuccess', null);
  return held;
}

/** Forgets the session and its links, and what was bought in it. */
function forgetSession(more: object = {}): void {
  const gone = { isSuccess: false, token: '', paymentSettingsStatus: '' as const };
  const links = { deeplinkToken: '', deeplinkUrl: '', deeplinkQR: '', userId: '' };
  $signup.set({ ...$signup.get(), ...gone, ...links, ...more });
  $checkout.set({ ...$checkout.get(), isSuccess: null, id: '' });
}

/** Ends every session of the account, this one included, and every unused link. */
export async function signOut(): Promise<void> {
  await call('/users/me/sign-out', { body: {}, bearer: bearer() });
  forgetSession();
}

/** Deletes the account, and what this browser knows of it. */
export async function deleteAccount(): Promise<void> {
  await change('/users/me/delete', {});
  forgetSession({ email: '', name: '', emailValidity: false });
}

/** A copy of everything that is kept about the account. */
export async function myData(): Promise<unknown> {
  return (await call<{ data: unknown }>('/users/me/export', { bearer: bearer() })).data;
}
