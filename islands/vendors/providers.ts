import { paymentSettings } from '../stores/payment-settings.ts';
import type { Access, Provider } from './provider.ts';
import { stripeProvider } from './stripe.ts';

const known = new Map<string, Promise<Provider>>();

async function load({ vendors, language, fallback }: Access): Promise<Provider> {
  const { stripe } = await paymentSettings(fallback);
  return stripeProvider(stripe.key, vendors, language);
}

/** The provider that takes this page's payments, loaded once; one that failed can be asked again. */
export function providerOf(access: Access): Promise<Provider> {
  const name = access.insists ?? '';
  const before = known.get(name);
  if (before) return before;
  const loaded = load(access);
  known.set(name, loaded);
  loaded.catch(() => known.delete(name));
  return loaded;
}
