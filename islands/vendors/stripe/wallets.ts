import type {
  ClickResolveDetails,
  StripeExpressCheckoutElementConfirmEvent as ConfirmEvent,
  Stripe,
  StripeError,
  StripeExpressCheckoutElement,
} from '@stripe/stripe-js';
import { cardLabel, type Express, type ExpressOptions } from '../payment-provider.ts';
import { type Renewal, renewalsOf, type Sum } from '../wallet-amount.ts';
import { payPalButton, rowIn } from './paypal.ts';

type Made = Awaited<ReturnType<Stripe['createPaymentMethod']>> | { error: StripeError };

function sheetOf(sum: Sum): ClickResolveDetails {
  const { label, today, every } = sum;
  const [next, full = next] = renewalsOf(sum);
  const recurringPaymentEndDate = full.at;
  const lineOf = ({ amount, at }: Renewal) => ({
    label,
    amount,
    recurringPaymentStartDate: at,
    recurringPaymentIntervalUnit: every.unit,
    recurringPaymentIntervalCount: every.count,
  });
  return {
    ...(today > 0 && { lineItems: [{ name: label, amount: today }] }),
    applePay: {
      recurringPaymentRequest: {
        paymentDescription: label,
        managementURL: new URL('/cancel', location.href).href,
        ...(today === 0 && { trialBilling: { label, amount: 0, recurringPaymentEndDate } }),
        ...(next !== full && { trialBilling: { ...lineOf(next), recurringPaymentEndDate } }),
        regularBilling: lineOf(full),
      },
    },
  };
}

const moneyOf = ({ today, currency }: Sum) => ({
  amount: today,
  currency: currency.toLowerCase(),
});

/** Saving a card has no amount (docs.stripe.com/js/elements_object/create). */
const modeOf = (sum: Sum) =>
  sum.today > 0
    ? ({ mode: 'subscription', ...moneyOf(sum) } as const)
    : ({ mode: 'setup', currency: moneyOf(sum).currency } as const);

function createElement(
  stripe: Stripe,
  { sum, buttonLabel, single, stripeWallets = [] }: ExpressOptions,
) {
  const hasLink = stripeWallets.includes('link');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const elements = stripe.elements({
    ...modeOf(sum),
    paymentMethodCreation: 'manual',
    // Link needs both types (docs.stripe.com/elements/express-checkout-element/accept-a-payment).
    ...(hasLink && { paymentMethodTypes: ['card', 'link'] }),
    appearance: { variables: { borderRadius: '12px' } },
  });
  const element = elements.create('expressCheckout', {
    buttonHeight: 55,
    buttonType: buttonLabel === 'order' ? { applePay: 'order', googlePay: 'order' } : {},
    // Stripe's default is black, which has no contrast with our dark surface.
    ...(dark && { buttonTheme: { applePay: 'white', googlePay: 'white' } }),
    // One row with reserved height, so nothing moves when the buttons appear.
    layout: { maxColumns: single ? 1 : 2, maxRows: 1, overflow: single ? 'never' : 'auto' },
    paymentMethods: {
      amazonPay: 'never',
      klarna: 'never',
      link: hasLink ? 'auto' : 'never',
      // Stripe's own button loads PayPal's scripts; ours opens PayPal's page (`paypal.ts`).
      paypal: 'never',
    },
    paymentMethodOrder: ['applePay', 'googlePay', 'link'],
  });
  return { elements, element };
}

const names: Readonly<Record<string, string>> = {
  applePay: 'Apple Pay',
  googlePay: 'Google Pay',
  link: 'Link',
};

const namesOffered = (element: StripeExpressCheckoutElement) =>
  new Promise<string[]>((known) => {
    element.on('ready', ({ availablePaymentMethods: all }) =>
      known(Object.entries(all ?? {}).flatMap(([key, offered]) => (offered && names[key]) || [])),
    );
    element.on('loaderror', () => known([]));
  });

export async function mountWallets(
  stripe: Stripe,
  box: HTMLElement,
  options: ExpressOptions,
): Promise<Express> {
  const { single = false, onStart, onClose, onPay, onError } = options;
  const stripeWallets = single ? [] : (options.stripeWallets ?? []);
  let { sum } = options;
  let agreed = sum;
  const { elements, element } = createElement(stripe, { ...options, stripeWallets });

  const make = async () => {
    const { error } = await elements.submit();
    return error ? { error } : stripe.createPaymentMethod({ elements });
  };
  const pay = async (wallet: string | undefined, making: () => Promise<Made>) => {
    onStart(agreed);
    const made = await making().catch(() => null);
    if (made && 'paymentMethod' in made && made.paymentMethod) {
      const { id, type, card } = made.paymentMethod;
      const method = stripeWallets.find((wallet) => wallet === type);
      return onPay(id, agreed, { method, wallet, card: cardLabel(card?.brand, card?.last4) });
    }
    onError(made?.error?.message ?? '', agreed);
    return false;
  };
  element.on('click', ({ resolve }) => {
    agreed = sum;
    resolve(sheetOf(agreed));
  });
  element.on('confirm', async ({ expressPaymentType: type, paymentFailed }: ConfirmEvent) => {
    const paid = await pay(names[type.replace('_p', 'P')], make).catch(() => {
      onError('');
      return false;
    });
    if (!paid) paymentFailed({ reason: 'fail' });
  });
  element.on('cancel', onClose);
  const offered = namesOffered(element);
  const payPal = stripeWallets.includes('paypal') ? payPalButton() : null;
  payPal?.addEventListener('click', () => {
    agreed = sum;
    pay('PayPal', () => stripe.createPaymentMethod({ type: 'paypal' })).catch(() => onError(''));
  });
  const row = payPal && rowIn(box, payPal);
  element.mount(row?.cell ?? box);
  const own = await offered;
  row?.complete(own.length);
  return {
    names: payPal ? [...own, 'PayPal'] : own,
    update(next) {
      sum = next;
      if (next.today > 0) elements.update(moneyOf(next));
    },
    unmount() {
      element.destroy();
      row?.remove();
    },
  };
}
