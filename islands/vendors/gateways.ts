import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import type { Signup } from '../stores/signup.ts';
import type { Provider } from './payment-provider.ts';

interface BrowserGateway {
  /** The bank verifies a card, not a payment, and the result is sent to us. Otherwise the server reads it. */
  verifiesCard: boolean;
  /** Empty while its fields cannot be shown. */
  key(signup: Signup): string;
  load(key: string, vendors: string, language: string): Promise<Provider>;
}

/** What the browser does at each gateway. */
export const browserGateways: Readonly<Record<GatewayName, BrowserGateway>> = {
  stripe: {
    verifiesCard: false,
    key: ({ stripe }) => stripe.key,
    load: async (...access) => (await import('./stripe/provider.ts')).stripeProvider(...access),
  },
  braintree: {
    verifiesCard: true,
    key: ({ btToken }) => btToken,
    load: async (key, vendors) =>
      (await import('./braintree/provider.ts')).braintreeProvider(key, vendors),
  },
};
