import type { client, paypalCheckout } from 'braintree-web';
import { braintreeProvider } from '../../islands/vendors/braintree.ts';
import type { Fields, Provider } from '../../islands/vendors/provider.ts';

let provider: Provider;
let fields: Fields;
const box = (id: string) => document.getElementById(id) as HTMLElement;
const errors: Record<string, string> = {};
const words = {
  titles: { number: 'Card number', expiry: 'Expiry date', cvc: 'Security code' },
  wrong: { number: 'Number?', expiry: 'Expiry?', cvc: 'Code?' },
};

/** What the test calls inside the page. */
const here = {
  errors,
  async open(token: string, vendors: string): Promise<void> {
    provider = await braintreeProvider(token, vendors);
    const boxes = { number: box('number'), expiry: box('expiry'), cvc: box('cvc') };
    fields = await provider.mount(boxes, words, (field, text) => {
      errors[field] = text;
    });
  },
  nonce: () => fields.nonce('A Payer'),
  wrong: () =>
    fields.nonce('').then(
      () => '',
      ({ field, message }) => `${field}: ${message}`,
    ),
  verify: (nonce: string) => provider.confirm({ nonce, amount: '6.99' }),
  unmount: () => fields.unmount(),
  async payPal(authorization: string): Promise<string> {
    const { braintree } = window as unknown as {
      braintree: { client: typeof client; paypalCheckout: typeof paypalCheckout };
    };
    const made = await braintree.client.create({ authorization });
    const checkout = await braintree.paypalCheckout.create({ client: made });
    // The types know only the way of old, by the payer's id.
    const paid = checkout as unknown as {
      createPayment(options: object): Promise<string>;
      tokenizePayment(options: object): Promise<{ nonce: string }>;
    };
    const billingToken = await paid.createPayment({ flow: 'vault' });
    return (await paid.tokenizePayment({ billingToken })).nonce;
  },
};

declare global {
  var shop: typeof here;
}
Object.assign(window, { shop: here });
