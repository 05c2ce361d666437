import { atom, map } from 'nanostores';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { persist } from '../runtime/storage/persist.ts';
import { readItem, writeItem } from '../runtime/storage/state-storage.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';

/** An address that sign-up refused, and why; null once the field shows it. */
export const $refusedEmail = atom<{ email: string; message: string } | null>(null);

export function refuseEmail(email: string, message: string): void {
  $refusedEmail.set({ email, message });
}

/** Where the server names none. */
export const firstGateway: GatewayName = 'stripe';

/** The providers that take a payment, the first one first. */
export type PaymentRoutes = Record<'card' | 'wallet', readonly GatewayName[]>;

export const noRoutes: PaymentRoutes = { card: [], wallet: [] };

export interface Signup {
  uuid: string;
  email: string;
  name: string;
  emailValidity: boolean;
  /** For the calls that an outside product answers if there is one. */
  token: string;
  /** For the calls that we answer, if the token is an outside product's: `-` without a session here, else empty. */
  own: string;
  /** Braintree client token. */
  btToken: string;
  deeplinkToken: string;
  deeplinkUrl: string;
  deeplinkQR: string;
  userId: string;
  isSuccess: boolean;
  /** Stripe's publishable key and account name. */
  stripe: { key: string; name: string };
  paymentProvider: GatewayName | '';
  paymentRoutes: PaymentRoutes;
  /** When the settings were loaded, ms since 1970, because a route is valid for a short time only. */
  paymentSettingsAt: number;
  paymentSettingsStatus: '' | 'success' | 'fail';
  threeDS: number;
  userLocation: string | null;
}

declare module '../runtime/storage/update-slice.ts' {
  interface Slices {
    signup: Signup;
  }
}

export const $signup = map<Signup>({
  uuid: '',
  email: '',
  name: '',
  emailValidity: false,
  token: '',
  own: '',
  btToken: '',
  deeplinkToken: '',
  deeplinkUrl: '',
  deeplinkQR: '',
  userId: '',
  isSuccess: false,
  stripe: { key: '', name: '' },
  paymentProvider: '',
  paymentRoutes: noRoutes,
  paymentSettingsAt: 0,
  paymentSettingsStatus: '',
  threeDS: 0,
  userLocation: null,
});

/** The account of this tab's session: another tab may sign up with another e-mail. */
export const accountKey = 'funnel:1:account';

function ownAccount({ token, own }: Signup): Pick<Signup, 'email' | 'userId'> | object {
  try {
    return token || own ? JSON.parse(readItem('sessionStorage', accountKey) || '{}') : {};
  } catch {
    return {};
  }
}

persist('signup', $signup, ownAccount);
$signup.listen(({ token, own, email, userId }) =>
  writeItem('sessionStorage', accountKey, (token || own) && JSON.stringify({ email, userId })),
);

export const noSession = '-';

/** For the calls that we answer ourselves; empty when signed out. */
export function sessionToken({ own, token } = $signup.get()): string {
  return own === noSession ? '' : own || token;
}

export function setEmail(email: string, emailValidity: boolean): void {
  updateSlice('signup', { email, emailValidity });
}

export function setPaymentProvider(paymentProvider: GatewayName): void {
  $signup.setKey('paymentProvider', paymentProvider);
}
