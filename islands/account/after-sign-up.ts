import { loadDeeplink } from '../app-link/deeplink.ts';
import { loadPaymentSettings } from '../vendors/payment-settings.ts';

/** Loads what the next screens need, apart from the code that answers the tap. */
export function prepare(): void {
  void loadPaymentSettings();
  void loadDeeplink();
}
