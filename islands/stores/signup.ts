import { map } from 'nanostores';
import { persist } from '../runtime/storage/persist.ts';
import { saveSession } from './session.ts';

interface Signup {
  /** Anonymous visitor id. */
  uuid: string;
  email: string;
  name: string;
  emailValidity: boolean;
  /** Access token. */
  token: string;
  /** Client token of the alternate payment provider. */
  btToken: string;
  deeplinkToken: string;
  deeplinkUrl: string;
  deeplinkQR: string;
  /** External user id. */
  userId: string;
  isSuccess: boolean;
  /** Publishable key and account name of the card provider. */
  stripe: { key: string; name: string };
  paymentProvider: string;
  paymentSettingsStatus: '' | 'success' | 'fail';
  threeDS: number;
  /** Country code. */
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
saveSession($signup, endSession);

/**
 * Forgets an access token that the server no longer takes. A page that needs an account is shown anew,
 * so that it says so before it is painted.
 */
function endSession(): void {
  $signup.set({ ...$signup.get(), token: '', paymentSettingsStatus: '' });
  if (!document.querySelector('[data-need="signup.token"]')) return;
  import('../runtime/navigation/navigate.ts').then(({ navigate }) => navigate(location.pathname));
}

/** Notes the e-mail as it is typed, and whether it can be one. */
export function setEmail(email: string, emailValidity: boolean): void {
  $signup.set({ ...$signup.get(), email, emailValidity });
}

/** Notes who takes the payments. */
export function setPaymentProvider(paymentProvider: string): void {
  $signup.setKey('paymentProvider', paymentProvider);
}
