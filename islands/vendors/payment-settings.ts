import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { call } from '../runtime/api.ts';
import { pageData } from '../runtime/hydration/page-data.ts';
import { limitOffer } from '../stores/app.ts';
import { setLoader } from '../stores/pending.ts';
import { $signup, firstGateway, noRoutes, type PaymentRoutes } from '../stores/signup.ts';

interface Settings {
  stripe_publishable_key: string;
  stripe_account_name: string;
  braintree_client_token?: string | null;
  payment_gateway?: GatewayName | null;
  payment_routes?: PaymentRoutes;
  request_three_d_secure?: number | null;
  /** Only for a page that holds a price. */
  offer_seconds_left?: number;
}

const freshMs = 60_000;
const maxRetries = 2;
const retryDelayMs = 1000;
const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

async function loadWithRetries(load: () => Promise<Settings>): Promise<Settings | null> {
  for (let retriesLeft = maxRetries; ; retriesLeft -= 1) {
    try {
      return await load();
    } catch {
      if (!retriesLeft) return null;
      await sleep(retryDelayMs);
    }
  }
}

const fetchSettings = (bearer: string) =>
  call<Settings>('/users/me/payments-settings', {
    bearer,
    keepalive: true,
    // The server holds a price from when a page with it was opened.
    headers: { 'x-terms': pageData().terms ?? '' },
  });

function store(settings: Settings | null): boolean {
  $signup.set({
    ...$signup.get(),
    ...(settings
      ? {
          paymentSettingsStatus: 'success' as const,
          paymentProvider: settings.payment_gateway || firstGateway,
          paymentRoutes: settings.payment_routes ?? noRoutes,
          paymentSettingsAt: Date.now(),
          stripe: { key: settings.stripe_publishable_key, name: settings.stripe_account_name },
          btToken: settings.braintree_client_token ?? '',
          threeDS: settings.request_three_d_secure ?? 0,
        }
      : {
          paymentSettingsStatus: 'fail' as const,
          paymentProvider: firstGateway,
          paymentRoutes: noRoutes,
        }),
  });
  if (settings?.offer_seconds_left != null) limitOffer(settings.offer_seconds_left);
  setLoader(false);
  return settings !== null;
}

/** What this document requested last; all its parts share the result, also a failure. */
let requested: { bearer: string; at: number; isStored: Promise<boolean> } | undefined;

/** After this the settings are requested again: an outdated route, or a person tries again. */
export function forgetPaymentSettings(): void {
  requested = undefined;
  $signup.setKey('paymentSettingsStatus', '');
}

/** @returns whether the settings are known */
export function loadPaymentSettings(bearer = $signup.get().token): Promise<boolean> {
  const isShared = requested?.bearer === bearer && Date.now() - requested.at < freshMs;
  if (!requested || !isShared) {
    const isStored = loadWithRetries(() => fetchSettings(bearer)).then(store);
    requested = { bearer, at: Date.now(), isStored };
  }
  return requested.isStored;
}

/** @param bearer the token of a card link, or the session's */
export async function paymentSettings(
  fallback = $signup.get().stripe,
  bearer = $signup.get().token,
) {
  if (!bearer) throw new Error('no account');
  const { paymentSettingsStatus, paymentSettingsAt } = $signup.get();
  const isFresh = paymentSettingsStatus === 'success' && Date.now() - paymentSettingsAt < freshMs;
  // What an earlier document stored is enough, but a page that holds a price has to say when it was opened.
  const isKnown = isFresh && !requested && !pageData().terms?.includes('!');
  if (!isKnown && !(await loadPaymentSettings(bearer))) $signup.setKey('stripe', fallback);
  const settings = $signup.get();
  if (settings.stripe.key || settings.btToken) return settings;
  throw new Error('no payment provider');
}
