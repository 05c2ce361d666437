import type { Appearance, Stripe } from '@stripe/stripe-js';
import type { BankMethod } from '../../../worker/catalog/rules/bank-methods.ts';
import type { BankFields, BankSum } from '../payment-provider.ts';
import { refusal } from './refusal.ts';

const moneyOf = ({ amount, currency, methods }: BankSum) => ({
  amount,
  currency: currency.toLowerCase(),
  paymentMethodTypes: [...methods],
});

/** Our colours, including dark ones, and the border of our fields (docs.stripe.com/elements/appearance-api). */
function appearance(): Appearance {
  const token = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
  return {
    variables: {
      colorPrimary: token('--brand'),
      colorBackground: token('--surface'),
      colorText: token('--ink'),
      colorTextSecondary: token('--ink-soft'),
      colorTextPlaceholder: token('--ink-soft'),
      colorDanger: token('--danger'),
      fontFamily: 'system-ui',
      borderRadius: '12px',
    },
    rules: { '.Input': { borderColor: token('--edge'), boxShadow: 'none' } },
  };
}

/** Our page never handles the IBAN, nor the mandate's text (docs.stripe.com/payments/payment-element). */
export async function mountBank(
  stripe: Stripe,
  box: HTMLElement,
  sum: BankSum,
): Promise<BankFields> {
  const elements = stripe.elements({
    mode: 'subscription',
    ...moneyOf(sum),
    paymentMethodCreation: 'manual',
    appearance: appearance(),
  });
  const element = elements.create('payment', { layout: 'accordion' });
  const shown = new Promise<void>((done, failed) => {
    element.on('ready', () => done());
    element.on('loaderror', ({ error }) => failed(refusal(error)));
  });
  element.mount(box);
  await shown;
  return {
    async pay() {
      const { error: invalid } = await elements.submit();
      if (invalid) throw refusal(invalid);
      const { error, paymentMethod } = await stripe.createPaymentMethod({ elements });
      if (error) throw refusal(error);
      return { nonce: paymentMethod.id, method: paymentMethod.type as BankMethod };
    },
    update: (next) => elements.update(moneyOf(next)),
    unmount: () => element.destroy(),
  };
}
