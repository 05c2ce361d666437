import type { CancelOffers } from '../../worker/catalog/rules/cancel-offers.ts';
import type { ChangeKind } from '../../worker/payments/rules/plan-change.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';
import type { ReceiptView } from '../../worker/payments/rules/receipt.ts';
import { call, errorCode } from '../runtime/api.ts';
import { $checkout } from '../stores/checkout.ts';
import { $signup } from '../stores/signup.ts';

interface Answer {
  data: { subscriptions: SubscriptionView[] };
}

interface Purchases {
  subscriptions: SubscriptionView[];
  /** The alternatives offered before a cancellation, by reason. */
  offers: CancelOffers;
  receipts: ReceiptView[];
}

const bearer = () => $signup.get().token;
const mustSignIn = (error: unknown) =>
  errorCode(error) === 'unauthorized' || errorCode(error) === 'email_unverified';

export async function loadMyPurchases(): Promise<Purchases | 'signed_out' | 'failed'> {
  if (!bearer()) return 'signed_out';
  try {
    return (await call<{ data: Purchases }>('/users/me/purchases', { bearer: bearer() })).data;
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

export interface ChangeAsked {
  kind: ChangeKind;
  plan?: string;
  months?: number;
}

/** Amounts in minor units, times in ms since 1970. */
export interface ChangeQuote {
  id: string;
  kind: ChangeKind;
  plan: string;
  amount: number;
  credit: number;
  takes_effect_at: number;
  next: { amount: number; at: number };
}

const changesPath = (attempt: string) => `/users/me/subscriptions/${attempt}/changes`;

/** Requests the price of a change. Nothing happens until it is confirmed. */
export const quoteChange = async (attempt: string, asked: ChangeAsked): Promise<ChangeQuote> =>
  (
    await call<{ data: { change: ChangeQuote } }>(changesPath(attempt), {
      body: asked,
      bearer: bearer(),
    })
  ).data.change;

interface Changed {
  data: {
    state: 'done' | 'declined' | 'failed' | 'pending' | 'challenged';
    subscriptions: SubscriptionView[];
  };
}

/** @param nonce verified by the bank, for a change that it challenged */
export const confirmChange = async (
  attempt: string,
  change: string,
  nonce?: string,
): Promise<Changed['data']> =>
  (
    await call<Changed>(`${changesPath(attempt)}/${change}`, {
      body: { payment_method_nonce: nonce },
      bearer: bearer(),
    })
  ).data;

export const withdraw = (attempt: string): Promise<SubscriptionView[]> =>
  change('/users/me/withdrawal', { attempt });

/** Attempt ids that the guarantee refunds now; empty when the request fails. */
export const guaranteedNow = (): Promise<string[]> =>
  call<{ data: { attempts: string[] } }>('/users/me/guarantee', { bearer: bearer() }).then(
    ({ data }) => data.attempts,
    () => [],
  );

/** Claims the guarantee for the plan and its extras, because no invitee accepted. */
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

export async function deleteAccount(): Promise<void> {
  await change('/users/me/delete', {});
  forgetSession({ email: '', name: '', emailValidity: false });
}

export async function myData(): Promise<unknown> {
  return (await call<{ data: unknown }>('/users/me/export', { bearer: bearer() })).data;
}
