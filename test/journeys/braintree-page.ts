import '../../islands/runtime/hydration/default-policy.ts';
import { braintreeProvider } from '../../islands/vendors/braintree/provider.ts';
import type { Fields, Provider } from '../../islands/vendors/payment-provider.ts';
import type { Sum } from '../../islands/vendors/wallet-amount.ts';

let provider: Provider;
let fields: Fields;
const box = (id: string) => document.getElementById(id) as HTMLElement;
const errors: Record<string, string> = {};
const focused: Record<string, boolean> = {};
const words = {
  example: 'MM / YY',
  titles: { number: 'Card number', expiry: 'Expiry date', cvc: 'Security code' },
  wrong: {
    number: { empty: 'Number?', incomplete: 'Number…', invalid: 'Number!' },
    expiry: { empty: 'Expiry?', incomplete: 'Expiry…', invalid: 'Expiry!', past: 'Past!' },
    cvc: { empty: 'Code?', incomplete: 'Code…', invalid: 'Code!' },
  },
};

const challenge = {
  title: 'Confirm with your bank',
  close: 'Close',
  closed: 'You closed it.',
  failed: 'It failed.',
  unavailable: 'It did not open.',
};

/** Functions that the test calls inside the page. */
const here = {
  errors,
  focused,
  async open(token: string, vendors: string): Promise<void> {
    provider = await braintreeProvider(token, vendors);
    const boxes = { number: box('number'), expiry: box('expiry'), cvc: box('cvc') };
    fields = await provider.mount(boxes, words, (field, { error, isFocused }) => {
      if (error !== undefined) errors[field] = error;
      if (isFocused !== undefined) focused[field] = isFocused;
    });
  },
  nonce: () => fields.nonce('A Payer'),
  wrong: () =>
    fields.nonce('').then(
      () => '',
      ({ field, message }) => `${field}: ${message}`,
    ),
  verify: (nonce: string) => provider.confirm({ kind: 'card', nonce, amount: '6.99' }, challenge),
  unmount: () => fields.unmount(),
  paid: [] as { nonce: string; deviceData?: string }[],
  failed: [] as string[],
  /** Mounts the wallets; `paid` is the result of their purchase. */
  async wallets(paid: boolean): Promise<boolean> {
    const sum: Sum = {
      plan: 'monthly_7d_usd',
      label: 'Monthly, trial of 7 days',
      today: 699,
      renewal: 3999,
      currency: 'USD',
      every: { unit: 'month', count: 1 },
      renews: () => new Date('2035-11-27T00:00:00Z'),
    };
    const express = await provider.express?.(box('wallets'), {
      sum,
      paypal: true,
      buttonLabel: 'pay',
      google: { id: '', country: 'US' },
      onStart() {},
      onClose() {},
      async onPay(nonce, _agreed, { deviceData, onResult } = {}) {
        here.paid.push({ nonce, deviceData });
        onResult?.(paid);
        return paid;
      },
      onError: (message) => void here.failed.push(message),
    });
    express?.update({ ...sum, today: 599 });
    return (express?.names.length ?? 0) > 0;
  },
};

declare global {
  var shop: typeof here;
}
Object.assign(window, { shop: here });
