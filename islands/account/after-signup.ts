import { loadDeeplink } from '../app-link/deeplink.ts';
import { loadPaymentSettings } from '../vendors/payment-settings.ts';

export function prepare(): void {
  void loadPaymentSettings();
  void loadDeeplink();
}
