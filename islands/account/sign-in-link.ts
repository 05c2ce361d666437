import type { CodeCheck } from '../../worker/accounts/check-code.ts';
import { loadDeeplink } from '../app-link/deeplink.ts';
import { call } from '../runtime/api.ts';
import { updateSlice } from '../runtime/storage/update-slice.ts';
import { $app } from '../stores/app.ts';
import { shareSession } from '../stores/session.ts';
import { $signup, sessionToken } from '../stores/signup.ts';
import { loadPaymentSettings } from '../vendors/payment-settings.ts';

/** Lifetime of a sign-in link, ms. */
const linkLifetimeMs = 15 * 60_000;

/** Remembers this page as the destination after signing in with the link that is sent now. */
export function rememberReturnPage(now = Date.now()): void {
  updateSlice('app', { returnPage: { path: location.pathname, until: now + linkLifetimeMs } });
}

/** Returns the remembered page once; null when there is none or the link has expired. */
export function takeReturnPage(now = Date.now()): string | null {
  const { returnPage } = $app.get();
  if (!returnPage) return null;
  updateSlice('app', { returnPage: null });
  return returnPage.until > now ? returnPage.path : null;
}

/** Requests a sign-in e-mail by address or by an older code. The response never reveals whether an account exists. */
export async function requestSignInLink(
  who: ({ email: string } | { code: string }) & { for?: 'manage' | 'cancel' },
): Promise<void> {
  await call('/sign-in-link', { body: who });
}

/** Reads a link's state and masked account. Does not consume the link. */
export async function inspectSignInLink(code: string): Promise<CodeCheck> {
  const { email } = $signup.get();
  const options = { body: { code, email: email || undefined }, bearer: sessionToken() };
  return (await call<{ data: CodeCheck }>('/sign-in-link/check', options)).data;
}

interface Opened {
  data: {
    access_token: string;
    deeplink_token: string;
    own_access_token?: string;
    entity: { external_user_id: string; uuid: string };
    email: string;
    paid: boolean;
  };
}

/** Consumes the link. @returns whether the main plan is paid @throws the parsed refusal */
export async function openSignInLink(code: string): Promise<boolean> {
  const { data } = await call<Opened>('/sign-in-link/open', { body: { code } });
  const { email, access_token, own_access_token: own = '', entity } = data;
  // The product's session stays if it is the same person's.
  const keepsProduct = own && email === $signup.get().email;
  updateSlice('signup', {
    email,
    name: email,
    emailValidity: true,
    isSuccess: true,
    own,
    uuid: entity.uuid,
    paymentSettingsStatus: '',
    ...(!keepsProduct && {
      token: own ? '' : access_token,
      deeplinkToken: data.deeplink_token,
      deeplinkUrl: '',
      deeplinkQR: '',
      userId: entity.external_user_id,
    }),
  });
  shareSession({ userId: entity.external_user_id, token: access_token });
  updateSlice('checkout', { isSuccess: data.paid ? true : null });
  if ($signup.get().token) {
    loadPaymentSettings();
    loadDeeplink();
  }
  return data.paid;
}
