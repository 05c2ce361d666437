import { loadCountry } from '../checkout/load-country.ts';
import { $signup } from '../stores/signup.ts';
import type { Provider, ProviderSettings } from './payment-provider.ts';
import { paymentSettings } from './payment-settings.ts';

const known = new Map<string, Promise<Provider>>();

async function load({
  vendors,
  language,
  forcedProvider,
  fallback,
}: ProviderSettings): Promise<Provider> {
  const { stripe, btToken, paymentProvider } = await paymentSettings(fallback);
  // Not at sign-up: the payment page is a new document and would lose the response.
  if (!$signup.get().userLocation) void loadCountry();
  const wanted = forcedProvider ?? paymentProvider;
  if (btToken && (wanted === 'braintree' || !stripe.key)) {
    const { braintreeProvider } = await import('./braintree/provider.ts');
    return braintreeProvider(btToken, vendors);
  }
  const { stripeProvider } = await import('./stripe/provider.ts');
  return stripeProvider(stripe.key, vendors, language);
}

export function providerOf(access: ProviderSettings): Promise<Provider> {
  const name = access.forcedProvider ?? '';
  const before = known.get(name);
  if (before) return before;
  const loaded = load(access);
  known.set(name, loaded);
  loaded.catch(() => known.delete(name));
  return loaded;
}
