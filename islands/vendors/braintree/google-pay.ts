/// <reference types="googlepay" />

import { decimal } from '../../../locales/format/currency.ts';
import { loadScript } from '../load-script.ts';
import { renewalsOf, type Sum } from '../wallet-amount.ts';
import { braintreeModule } from './load-modules.ts';
import { buttonRadius, isDark, type Wallet, type WalletContext } from './wallet-context.ts';

const host = 'pay.google.com';
const apiVersion = 2;

type Request = google.payments.api.PaymentDataRequest;

export function transactionOf(
  sum: Sum,
  countryCode: string,
): google.payments.api.RecurringTransactionInfo {
  const { label, today, currency: currencyCode, every, renews } = sum;
  return {
    currencyCode,
    countryCode,
    immediateTotalPrice: decimal(today, currencyCode),
    managementUrl: new URL('/cancel', location.href).href,
    introductoryPeriodInfo: {
      label,
      totalPrice: decimal(today, currencyCode),
      introductoryPeriodEndDateTime: renews().toISOString(),
    },
    recurrenceItems: renewalsOf(sum).map(({ amount, at, times }) => ({
      label,
      price: decimal(amount, currencyCode),
      priceStatus: 'FINAL',
      billingInitialDateTime: at.toISOString(),
      ...(times && { billingFinalDateTime: renews(times - 1).toISOString() }),
      recurrencePeriod: every.unit === 'day' ? 'DAY' : 'MONTH',
      recurrencePeriodCount: every.count,
    })),
  };
}

const isCancelled = (error: unknown) =>
  (error as { statusCode?: string } | undefined)?.statusCode === 'CANCELED';

/** Google Pay through Braintree; null when the browser or the account does not support it. */
export const googlePay: Wallet = async (context: WalletContext) => {
  const { client, vendors, buttonLabel, google: merchant } = context;
  const { gatewayConfiguration } = client.getConfiguration();
  if (!('androidPay' in gatewayConfiguration)) return null;
  const environment = gatewayConfiguration.environment === 'production' ? 'PRODUCTION' : 'TEST';
  // Google refuses live payments of an unregistered merchant.
  if (environment === 'PRODUCTION' && !merchant.id) return null;
  const [module] = await Promise.all([
    braintreeModule('googlePayment', vendors),
    loadScript(`${vendors || 'https:/'}/${host}/gp/p/js/pay.js`),
  ]);
  const instance = await module.create({
    client,
    googlePayVersion: apiVersion,
    ...(merchant.id ? { googleMerchantId: merchant.id } : {}),
  });
  const payments = new google.payments.api.PaymentsClient({ environment });
  const requestOf = (sum: Sum): Request => {
    const recurringTransactionInfo = transactionOf(sum, merchant.country);
    // Braintree's types do not include recurring transactions yet.
    const request = { recurringTransactionInfo } as unknown as Parameters<
      typeof instance.createPaymentDataRequest
    >[0];
    return instance.createPaymentDataRequest(request);
  };
  const { allowedPaymentMethods } = requestOf(context.sum());
  const ready = await payments.isReadyToPay({
    apiVersion,
    apiVersionMinor: 0,
    allowedPaymentMethods,
  });
  if (!ready.result) return null;

  const pay = async () => {
    const agreed = context.sum();
    const data = await payments.loadPaymentData(requestOf(agreed));
    await context.pay(agreed, async () => {
      const { nonce, details } = await instance.parseResponse(data);
      return { nonce, bin: details?.bin ?? '' };
    });
  };
  return (cell) => {
    const button = payments.createButton({
      onClick: () =>
        void pay().catch((error) => (isCancelled(error) ? context.close() : context.fail(error))),
      allowedPaymentMethods,
      buttonType: buttonLabel === 'order' ? 'order' : 'plain',
      buttonColor: isDark() ? 'white' : 'black',
      buttonSizeMode: 'fill',
      buttonRadius,
      buttonLocale: document.documentElement.lang.slice(0, 2),
    });
    cell.append(button);
  };
};
