import { call } from '../runtime/api.ts';
import { setLoader } from '../stores/pending.ts';
import { $signup, noRoutes, type PaymentRoutes } from '../stores/signup.ts';

interface Settings {
  stripe_publishable_key: string;
  stripe_account_name: string;
  braintree_client_token?: string | null;
  payment_gateway?: string | null;
  payment_routes?: PaymentRoutes;
  request_three_d_secure?: number | null;
}

const freshMs = 60_000;
const maxRetries = 2;
const retryDelayMs = 1000;
const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

async function loadWithRetries(
  load: () => Promise<Settings>,
  wait: typeof sleep,
): Promise<Settings | null> {
  for (let retriesLeft = maxRetries; ; retriesLeft -= 1) {
    try {
      return await load();
    } catch {
      if (!retriesLeft) return null;
      await wait(retryDelayMs);
    }
  }
}

const fetchSettings = (bearer = $signup.get().token) =>
  call<Settings>('/users/me/payments-settings', { bearer, keepalive: true });

export async function loadPaymentSettings(
  fallback = $signup.get().stripe,
  load: () => Promise<Settings> = fetchSettings,
  wait = sleep,
): Promise<void> {
  const settings = await loadWithRetries(load, wait);
  $signup.set({
    ...$signup.get(),
    ...(settings
      ? {
          paymentSettingsStatus: 'success' as const,
          paymentProvider: settings.payment_gateway || 'stripe',
          paymentRoutes: settings.payment_routes ?? noRoutes,
          paymentSettingsAt: Date.now(),
          stripe: { key: settings.stripe_publishable_key, name: settings.stripe_account_name },
          btToken: settings.braintree_client_token ?? '',
          threeDS: settings.request_three_d_secure ?? 0,
        }
      : {
          paymentSettingsStatus: 'fail' as const,
          paymentProvider: 'stripe',
          paymentRoutes: noRoutes,
          stripe: fallback,
        }),
  });
  setLoader(false);
}

/** The card form and the wallets of one page request them together. */
let loading: Promise<void> | undefined;

/** @param bearer the token of a card link, or the session's */
export async function paymentSettings(
  fallback?: { key: string; name: string },
  bearer = $signup.get().token,
) {
  if (!bearer) throw new Error('no account');
  const { paymentSettingsStatus, paymentSettingsAt } = $signup.get();
  const isFresh = Date.now() - paymentSettingsAt < freshMs;
  if (paymentSettingsStatus !== 'success' || !isFresh) {
    loading ??= loadPaymentSettings(fallback, () => fetchSettings(bearer)).finally(() => {
      loading = undefined;
    });
    await loading;
  }
  const settings = $signup.get();
  if (settings.stripe.key || settings.btToken) return settings;
  // Forces a reload: Braintree may return a token next time.
  $signup.setKey('paymentSettingsStatus', 'fail');
  throw new Error('no payment provider');
}
