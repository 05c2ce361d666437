import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import { call, errorCode } from '../runtime/api.ts';
import { $checkout } from '../stores/checkout.ts';
import { $signup } from '../stores/signup.ts';

interface Answer {
  data: { subscriptions: SubscriptionView[] };
}

const bearer = () => $signup.get().token;
const mustSignIn = (error: unknown) =>
  errorCode(error) === 'unauthorized' || errorCode(error) === 'email_unverified';

export async function loadMyPurchases(): Promise<SubscriptionView[] | 'signed_out' | 'failed'> {
  if (!bearer()) return 'signed_out';
  try {
    return (await call<Answer>('/users/me/purchases', { bearer: bearer() })).data.subscriptions;
  } catch (error) {
    return mustSignIn(error) ? 'signed_out' : 'failed';
  }
}

const change = async (path: string, body: object) =>
  (await call<Answer>(path, { body, bearer: bearer() })).data.subscriptions;

export const cancel = (attempt: string): Promise<SubscriptionView[]> =>
  change(`/users/me/subscriptions/${attempt}/cancel`, {});

export const resume = (attempt: string): Promise<SubscriptionView[]> =>
  change(`/users/me/subscriptions/${attempt}/resume`, {});

export const withdraw = (attempt: string): Promise<SubscriptionView[]> =>
  change('/users/me/withdrawal', { attempt });

/** Attempt ids that the guarantee refunds now; empty when the request fails. */
export const guaranteedNow = (): Promise<string[]> =>
  call<{ data: { attempts: string[] } }>('/users/me/guarantee', { bearer: bearer() }).then(
    ({ data }) => data.attempts,
    () => [],
  );

/** Claims the guarantee for the plan and its add-ons, because no invitee accepted. */
export async function claim(): Promise<SubscriptionView[]> {
  const subscriptions = await change('/users/me/guarantee', {});
  $checkout.setKey('isSuccess', null);
  return subscriptions;
}

function forgetSession(more: object = {}): void {
  const gone = { isSuccess: false, token: '', paymentSettingsStatus: '' as const };
  const links = { deeplinkToken: '', deeplinkUrl: '', deeplinkQR: '', userId: '' };
  $signup.set({ ...$signup.get(), ...gone, ...links, ...more });
  $checkout.set({ ...$checkout.get(), isSuccess: null, id: '' });
}

export async function signOut(): Promise<void> {
  await call('/users/me/sign-out', { body: {}, bearer: bearer() });
  forgetSession();
}

/** Deletes the account and the browser's copy of it. */
export async function deleteAccount(): Promise<void> {
  await change('/users/me/delete', {});
  forgetSession({ email: '', name: '', emailValidity: false });
}

export async function myData(): Promise<unknown> {
  return (await call<{ data: unknown }>('/users/me/export', { bearer: bearer() })).data;
}
