import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';
import type { Provider, ProviderSettings } from './payment-provider.ts';
import { paymentSettings } from './payment-settings.ts';

/** Loads the visitor's country, which 3-D Secure requires. A failure is only logged. */
async function loadCountry(): Promise<void> {
  try {
    const { country_code } = await call<{ country_code: string }>('/cf-country');
    $signup.setKey('userLocation', country_code);
  } catch (error) {
    console.warn('country failed', error);
  }
}

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
  const gateway = forcedProvider ?? paymentProvider;
  if (btToken && (gateway === 'braintree' || !stripe.key)) {
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
