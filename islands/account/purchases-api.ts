import type { CancelOffers } from '../../worker/catalog/rules/cancel-offers.ts';
import type { ReceiptView } from '../../worker/payments/notices/receipt.ts';
import type { ChangeKind } from '../../worker/payments/purchase/change-state.ts';
import type { SubscriptionView } from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import { call, errorCode } from '../runtime/api.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';
import { forgetPurchase } from '../stores/checkout.ts';
import { sessionToken } from '../stores/signup.ts';
import { reportUnexpected } from './report-unexpected.ts';

interface SubscriptionsResponse {
  data: { subscriptions: SubscriptionView[] };
}

interface Purchases {
  subscriptions: SubscriptionView[];
  /** The alternatives offered before a cancellation, by reason. */
  offers: CancelOffers;
  receipts: ReceiptView[];
  /** Whether an outside product may have sold something to the account. */
  elsewhere?: true;
  /** The buyer's. */
  email: string;
}

/** Whether a mailed link lets the owner do it. */
export const mustSignIn = (error: unknown): boolean =>
  errorCode(error) === 'unauthorized' || errorCode(error) === 'email_unverified';

export async function loadMyPurchases(): Promise<
  ({ kind: 'loaded' } & Purchases) | { kind: 'signed_out' | 'failed' }
> {
  if (!sessionToken()) return { kind: 'signed_out' };
  try {
    const options = { bearer: sessionToken() };
    const { data } = await call<{ data: Purchases }>('/users/me/purchases', options);
    return { kind: 'loaded', ...data };
  } catch (error) {
    reportUnexpected(error);
    return { kind: mustSignIn(error) ? 'signed_out' : 'failed' };
  }
}

const change = async (path: string, body: object) =>
  (await call<SubscriptionsResponse>(path, { body, bearer: sessionToken() })).data.subscriptions;

/** @param end before the paid period is over, as it was shown */
export const cancelPurchase = (
  attempt: string,
  end?: SubscriptionView['earlyEnd'],
): Promise<SubscriptionView[]> =>
  change(`/users/me/subscriptions/${attempt}/${end ? 'early-end' : 'cancel'}`, end ?? {});

export const resumePurchase = (attempt: string): Promise<SubscriptionView[]> =>
  change(`/users/me/subscriptions/${attempt}/resume`, {});

export interface PlanChangeRequest {
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
export const requestQuote = async (
  attempt: string,
  request: PlanChangeRequest,
): Promise<ChangeQuote> =>
  (
    await call<{ data: { change: ChangeQuote } }>(changesPath(attempt), {
      body: request,
      bearer: sessionToken(),
    })
  ).data.change;

interface Changed {
  data: {
    state: 'done' | 'declined' | 'failed' | 'pending' | 'challenged';
    subscriptions: SubscriptionView[];
  };
}

/** @param nonce verified by the bank, for a change that it challenged */
export const confirmPlanChange = async (
  attempt: string,
  change: string,
  nonce?: string,
): Promise<Changed['data']> =>
  (
    await call<Changed>(`${changesPath(attempt)}/${change}`, {
      body: { payment_method_nonce: nonce },
      bearer: sessionToken(),
    })
  ).data;

const isOver = ({ state }: SubscriptionView) => state === 'withdrawn' || state === 'ended';

export async function withdrawFromPurchase(attempt: string): Promise<SubscriptionView[]> {
  const subscriptions = await change('/users/me/withdrawal', { attempt });
  const plans = subscriptions.filter(({ slot }) => slot === 'main');
  if (plans.every(isOver)) forgetPurchase();
  return subscriptions;
}

/** Attempt ids that the guarantee refunds now; empty when the request fails. */
export const guaranteedNow = (): Promise<string[]> =>
  call<{ data: { attempts: string[] } }>('/users/me/guarantee', { bearer: sessionToken() }).then(
    ({ data }) => data.attempts,
    (error) => {
      reportUnexpected(error);
      return [];
    },
  );

/** Claims the guarantee for the plan and its extras, because no invitee accepted. */
export async function claim(): Promise<SubscriptionView[]> {
  const subscriptions = await change('/users/me/guarantee', {});
  forgetPurchase();
  return subscriptions;
}

function forgetSession(more: object = {}): void {
  const signedOut = { isSuccess: false, token: '', own: '', paymentSettingsStatus: '' as const };
  const links = { deeplinkToken: '', deeplinkUrl: '', deeplinkQR: '', userId: '' };
  updateSlice('signup', { ...signedOut, ...links, ...more });
  forgetPurchase();
}

export async function signOut(): Promise<void> {
  await call('/users/me/sign-out', { body: {}, bearer: sessionToken() });
  forgetSession();
}

export async function deleteOwnAccount(): Promise<void> {
  await change('/users/me/delete', {});
  forgetSession({ email: '', name: '', emailValidity: false });
}

export async function myData(): Promise<unknown> {
  return (await call<{ data: unknown }>('/users/me/export', { bearer: sessionToken() })).data;
}
