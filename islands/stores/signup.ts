import { atom, map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';
import { saveSession } from './session.ts';

export const $emailTaken = atom('');

export function setEmailTaken(email: string): void {
  $emailTaken.set(email);
}

interface Signup {
  uuid: string;
  email: string;
  name: string;
  emailValidity: boolean;
  token: string;
  /** Braintree client token. */
  btToken: string;
  deeplinkToken: string;
  deeplinkUrl: string;
  deeplinkQR: string;
  userId: string;
  isSuccess: boolean;
  /** Stripe's publishable key and account name. */
  stripe: { key: string; name: string };
  paymentProvider: string;
  paymentSettingsStatus: '' | 'success' | 'fail';
  threeDS: number;
  userLocation: string | null;
}

export const $signup = map<Signup>({
  uuid: '',
  email: '',
  name: '',
  emailValidity: false,
  token: '',
  btToken: '',
  deeplinkToken: '',
  deeplinkUrl: '',
  deeplinkQR: '',
  userId: '',
  isSuccess: false,
  stripe: { key: '', name: '' },
  paymentProvider: '',
  paymentSettingsStatus: '',
  threeDS: 0,
  userLocation: null,
});
persist('signup', $signup);
const needsAccount = () => document.querySelector('[data-need="signup.token"]') !== null;
saveSession($signup, endSession, needsAccount);

/**
 * Clears a rejected access token. A page that needs an account is loaded again, so that it shows
 * the missing step before paint.
 */
function endSession(): void {
  $signup.set({ ...$signup.get(), token: '', paymentSettingsStatus: '' });
  if (!needsAccount()) return;
  import('../runtime/navigation/navigate.ts').then(({ navigate }) => navigate(location.pathname));
}

export function setEmail(email: string, emailValidity: boolean): void {
  $signup.set({ ...$signup.get(), email, emailValidity });
}

export function setPaymentProvider(paymentProvider: string): void {
  $signup.setKey('paymentProvider', paymentProvider);
}
