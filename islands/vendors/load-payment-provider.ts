import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { call } from '../runtime/api.ts';
import { $signup, firstGateway, type Signup } from '../stores/signup.ts';
import { browserGateways } from './gateways.ts';
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

const known = new Map<GatewayName, Promise<Provider>>();

async function loadProvider(
  gateway: GatewayName,
  settings: Signup,
  { vendors, language }: ProviderSettings,
): Promise<Provider> {
  // Not at sign-up: the payment page is a new document and would lose the response.
  if (!$signup.get().userLocation) void loadCountry();
  const { key, load } = browserGateways[gateway];
  return load(key(settings), vendors, language);
}

function loadOnce(gateway: GatewayName, settings: Signup, access: ProviderSettings) {
  const before = known.get(gateway);
  if (before) return before;
  const loaded = loadProvider(gateway, settings, access);
  known.set(gateway, loaded);
  loaded.catch(() => known.delete(gateway));
  return loaded;
}

/** The providers to try, the first one first. */
function providersFor(
  settings: Signup,
  { forcedProvider, preferred, method }: ProviderSettings,
): GatewayName[] {
  const { paymentProvider, paymentRoutes } = settings;
  const route =
    paymentRoutes[method].length > 0 ? paymentRoutes[method] : [paymentProvider || firstGateway];
  const isWanted = preferred && (route.includes(preferred) || paymentRoutes[method].length === 0);
  const wanted = isWanted ? [preferred, ...route] : route;
  // A newer server may name a gateway that this build does not have.
  const hasKey = (name: GatewayName) => !!browserGateways[name]?.key(settings);
  const usable = [...new Set(forcedProvider ? [forcedProvider] : wanted)].filter(hasKey);
  return usable.length > 0
    ? usable
    : (Object.keys(browserGateways) as GatewayName[]).filter(hasKey);
}

/** The first provider of the route whose script loads. @throws if none does */
export async function providerOf(access: ProviderSettings): Promise<Provider> {
  const settings = await paymentSettings(access.fallback, access.bearer);
  const [first = firstGateway, ...others] = providersFor(settings, access);
  let provider = loadOnce(first, settings, access);
  for (const other of others) provider = provider.catch(() => loadOnce(other, settings, access));
  return provider;
}
