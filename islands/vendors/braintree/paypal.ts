/// <reference types="paypal-checkout-components" />
import type { PayPalCheckout } from 'braintree-web';
import { decimal } from '../../../locales/format/currency.ts';
import { renewalsOf, type Sum } from '../wallet-amount.ts';
import { braintreeModule } from './load-modules.ts';
import { buttonHeight, buttonRadius, type Wallet, type WalletContext } from './wallet-context.ts';

/** The parts of PayPal's SDK in use (developer.paypal.com/sdk/js/reference). */
interface PayPal {
  FUNDING: { PAYPAL: string };
  Buttons(options: object): { isEligible(): boolean; render(box: HTMLElement): Promise<void> };
}

type Approved = Parameters<PayPalCheckout['tokenizePayment']>[0];

export function agreementOf(sum: Sum) {
  const { label, today, currency, every, renews } = sum;
  const fixed = (price: number) => ({ pricingModel: 'FIXED', price: decimal(price, currency) });
  const now = new Date();
  const days = Math.round((renews().getTime() - now.getTime()) / (24 * 60 * 60 * 1000));
  return {
    flow: 'vault' as paypal.FlowType,
    amount: decimal(today, currency),
    currency,
    billingAgreementDescription: label,
    enableShippingAddress: false,
    planType: 'SUBSCRIPTION',
    planMetadata: {
      name: label,
      currencyIsoCode: currency,
      totalAmount: decimal(today, currency),
      billingCycles: [
        {
          sequence: 1,
          trial: true,
          billingFrequency: days,
          billingFrequencyUnit: 'DAY',
          numberOfExecutions: 1,
          startDate: now.toISOString(),
          pricingScheme: fixed(today),
        },
        ...renewalsOf(sum).map(({ amount, at, times }, index) => ({
          sequence: index + 2,
          trial: times !== undefined,
          billingFrequency: every.count,
          billingFrequencyUnit: every.unit.toUpperCase(),
          ...(times && { numberOfExecutions: times }),
          startDate: at.toISOString(),
          pricingScheme: fixed(amount),
        })),
      ],
    },
  };
}

export const payPal: Wallet = async (context: WalletContext) => {
  const { client, vendors, fail } = context;
  const { gatewayConfiguration } = client.getConfiguration();
  if (!gatewayConfiguration.paypalEnabled) return null;
  const module = await braintreeModule('paypalCheckout', vendors);
  const checkout = await module.create({ client });
  await checkout.loadPayPalSDK({
    vault: true,
    intent: 'tokenize',
    currency: context.sum().currency,
  });
  let agreed = context.sum();
  const { paypal } = window as unknown as { paypal: PayPal };
  const buttons = paypal.Buttons({
    fundingSource: paypal.FUNDING.PAYPAL,
    style: { height: buttonHeight, borderRadius: buttonRadius, tagline: false },
    createBillingAgreement: () => {
      agreed = context.sum();
      return checkout.createPayment(agreementOf(agreed));
    },
    onApprove: async (approved: Approved) => {
      await context.pay(agreed, async () => {
        const { nonce } = await checkout.tokenizePayment(approved);
        return { nonce, bin: '' };
      });
    },
    onError: fail,
  });
  return buttons.isEligible() ? (cell) => buttons.render(cell) : null;
};
