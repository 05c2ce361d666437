import { loadCountry } from '../stores/country.ts';
import { paymentSettings } from '../stores/payment-settings.ts';
import { $signup } from '../stores/signup.ts';
import type { Access, Provider } from './provider.ts';

const known = new Map<string, Promise<Provider>>();

async function load({ vendors, language, insists, fallback }: Access): Promise<Provider> {
  const { stripe, btToken, paymentProvider } = await paymentSettings(fallback);
  // Not at sign-up: the payment page is another document, which would not hear the answer.
  if (!$signup.get().userLocation) void loadCountry();
  const wanted = insists ?? paymentProvider;
  if (btToken && (wanted === 'braintree' || !stripe.key)) {
    const { braintreeProvider } = await import('./braintree.ts');
    return braintreeProvider(btToken, vendors);
  }
  const { stripeProvider } = await import('./stripe.ts');
  return stripeProvider(stripe.key, vendors, language);
}

/**
 * The provider that takes this page's payments, loaded once; one that failed can be asked again. One
 * that the page insists on, but that has no account here, is the other one instead.
 */
export function providerOf(access: Access): Promise<Provider> {
  const name = access.insists ?? '';
  const before = known.get(name);
  if (before) return before;
  const loaded = load(access);
  known.set(name, loaded);
  loaded.catch(() => known.delete(name));
  return loaded;
}
