import type {
  ClickResolveDetails,
  StripeExpressCheckoutElementConfirmEvent as ConfirmEvent,
  Stripe,
} from '@stripe/stripe-js';
import type { Express, ExpressOptions } from '../payment-provider.ts';
import type { Sum } from '../wallet-amount.ts';

function sheetOf({ label, today, renewal, months, renews }: Sum): ClickResolveDetails {
  return {
    ...(today > 0 && { lineItems: [{ name: label, amount: today }] }),
    applePay: {
      recurringPaymentRequest: {
        paymentDescription: label,
        managementURL: new URL('/cancel', location.href).href,
        regularBilling: {
          label,
          amount: renewal,
          recurringPaymentStartDate: renews(),
          recurringPaymentIntervalUnit: 'month',
          recurringPaymentIntervalCount: months,
        },
      },
    },
  };
}

const moneyOf = ({ today, currency }: Sum) => ({
  amount: today,
  currency: currency.toLowerCase(),
});

/** A card that is only saved has no amount (docs.stripe.com/js/elements_object/create). */
const modeOf = (sum: Sum) =>
  sum.today > 0
    ? ({ mode: 'subscription', ...moneyOf(sum) } as const)
    : ({ mode: 'setup', currency: moneyOf(sum).currency } as const);

export async function mountWallets(
  stripe: Stripe,
  box: HTMLElement,
  { sum: first, buttonLabel, onStart, onPay, onError }: ExpressOptions,
): Promise<Express> {
  let sum = first;
  let agreed = first;
  const elements = stripe.elements({
    ...modeOf(sum),
    paymentMethodCreation: 'manual',
    appearance: { variables: { borderRadius: '12px' } },
  });
  const element = elements.create('expressCheckout', {
    buttonHeight: 55,
    buttonType: buttonLabel === 'order' ? { applePay: 'order', googlePay: 'order' } : {},
    // One row with reserved height, so nothing moves when the buttons appear.
    layout: { maxColumns: 2, maxRows: 1, overflow: 'auto' },
    paymentMethods: {
      amazonPay: 'never',
      klarna: 'never',
      link: 'never',
      paypal: 'never',
    },
    paymentMethodOrder: ['applePay', 'googlePay'],
  });

  const make = async () => {
    const { error } = await elements.submit();
    return error ? { error } : stripe.createPaymentMethod({ elements });
  };
  const pay = async () => {
    onStart(agreed);
    const made = await make().catch(() => null);
    if (made && 'paymentMethod' in made && made.paymentMethod) {
      return onPay(made.paymentMethod.id, agreed);
    }
    onError(made?.error?.message ?? '', agreed);
    return false;
  };
  element.on('click', ({ resolve }) => {
    agreed = sum;
    resolve(sheetOf(agreed));
  });
  element.on('confirm', async ({ paymentFailed }: ConfirmEvent) => {
    const paid = await pay().catch(() => {
      onError('');
      return false;
    });
    if (!paid) paymentFailed({ reason: 'fail' });
  });
  const offered = new Promise<boolean>((known) => {
    element.on('ready', ({ availablePaymentMethods }) => known(Boolean(availablePaymentMethods)));
    element.on('loaderror', () => known(false));
  });
  element.mount(box);
  return {
    available: await offered,
    update(next) {
      sum = next;
      if (next.today > 0) elements.update(moneyOf(next));
    },
    unmount: () => element.destroy(),
  };
}
