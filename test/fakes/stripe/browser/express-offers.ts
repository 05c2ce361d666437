import type {
  AvailablePaymentMethods,
  StripeExpressCheckoutElementOptions as ExpressOptions,
} from '@stripe/stripe-js';
import type { Wallet } from './express-messages.ts';

type Applepay = { canMakePayments(): boolean };

function hasApplePay(): boolean {
  const session: Applepay | undefined = Reflect.get(window, 'ApplePaySession');
  try {
    return session?.canMakePayments() ?? false;
  } catch {
    return false;
  }
}

async function hasGooglePay(amount: number, currency: string): Promise<boolean> {
  if (!('PaymentRequest' in window)) return false;
  // Stripe asks in a frame of its own; from here the browser's own would ask Google in our name.
  if (/\[native code\]/.test(String(PaymentRequest))) return false;
  const data = { apiVersion: 2, apiVersionMinor: 0, environment: 'TEST' };
  const value = (amount / 100).toFixed(2);
  try {
    const asked = new PaymentRequest([{ supportedMethods: 'https://google.com/pay', data }], {
      total: { label: 'Total', amount: { currency: currency.toUpperCase(), value } },
    });
    return await asked.canMakePayment();
  } catch {
    return false;
  }
}

/** Which buttons are drawn, by the page's options and by what the browser has, in Stripe's order. */
export async function offersOf(
  { paymentMethods = {}, wallets = {}, paymentMethodOrder = [] }: ExpressOptions,
  amount: number,
  currency: string,
): Promise<Wallet[]> {
  const asked = { ...wallets, ...paymentMethods };
  const shows = async (option: string | undefined, has: () => boolean | Promise<boolean>) =>
    option === 'always' || (option !== 'never' && (await has()));
  const offered: Record<Wallet, boolean> = {
    apple_pay: await shows(asked.applePay, hasApplePay),
    google_pay: await shows(asked.googlePay, () => hasGooglePay(amount, currency)),
    paypal: await shows(asked.paypal, () => true),
    link: await shows(asked.link, () => true),
  };
  const found = (Object.keys(offered) as Wallet[]).filter((wallet) => offered[wallet]);
  const spelt = paymentMethodOrder.map((name) => name.replace('Pay', '_pay'));
  const place = (wallet: Wallet) => (spelt.includes(wallet) ? spelt.indexOf(wallet) : 99);
  return found.sort((a, b) => place(a) - place(b));
}

/** As the `ready` event says it: nothing at all where no button is drawn. */
export const availableOf = (offers: Wallet[]): AvailablePaymentMethods | undefined =>
  offers.length === 0
    ? undefined
    : {
        amazonPay: false,
        applePay: offers.includes('apple_pay'),
        googlePay: offers.includes('google_pay'),
        klarna: false,
        link: offers.includes('link'),
        paypal: offers.includes('paypal'),
      };
