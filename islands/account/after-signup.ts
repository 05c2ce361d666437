import { loadDeeplink } from '../app-link/deeplink.ts';
import { pageData } from '../runtime/hydration/page-data.ts';
import { $signup } from '../stores/signup.ts';
import { loadPaymentSettings } from '../vendors/payment-settings.ts';

/**
 * Requests what the next screens need. A payment screen is another document, with which a request of this one would
 * end, so it requests both itself.
 */
export function prepare(): void {
  const { kind, nextKind } = pageData();
  if (kind === 'ordinary' && nextKind === 'payment') return;
  void loadPaymentSettings();
  void loadDeeplink();
}

/** On a payment screen, whose providers request their settings. */
export function prepareOnPayment(): void {
  const { token, deeplinkUrl } = $signup.get();
  if (token && !deeplinkUrl) void loadDeeplink();
}
