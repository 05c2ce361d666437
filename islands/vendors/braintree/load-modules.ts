import type {
  applePay,
  client,
  dataCollector,
  googlePayment,
  hostedFields,
  paypalCheckout,
  threeDSecure,
} from 'braintree-web';
import { loadScript } from '../load-script.ts';

/** braintree-web's modules and card frames must be of one release. */
const version = '3.144.0';
const host = 'js.braintreegateway.com';

interface Modules {
  client: typeof client;
  hostedFields: typeof hostedFields;
  threeDSecure: typeof threeDSecure;
  applePay: typeof applePay;
  googlePayment: typeof googlePayment;
  paypalCheckout: typeof paypalCheckout;
  dataCollector: typeof dataCollector;
}

const files = {
  client: 'client',
  hostedFields: 'hosted-fields',
  threeDSecure: 'three-d-secure',
  applePay: 'apple-pay',
  googlePayment: 'google-payment',
  paypalCheckout: 'paypal-checkout',
  dataCollector: 'data-collector',
} as const;

/** From Braintree's host, as PCI DSS expects of card code. @throws when the script does not load */
export async function braintreeModule<Name extends keyof Modules>(
  name: Name,
  vendors: string,
): Promise<Modules[Name]> {
  const base = vendors ? `${vendors}/${host}` : `https://${host}`;
  await loadScript(`${base}/web/${version}/js/${files[name]}.min.js`);
  const found = (window as { braintree?: Partial<Modules> }).braintree?.[name];
  if (!found) throw new Error(`braintree-web has no ${name}`);
  return found;
}
