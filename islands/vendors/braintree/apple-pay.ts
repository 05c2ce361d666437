import type { ApplePay, ApplePaySession } from 'braintree-web';
import { decimal } from '../../../locales/format/currency.ts';
import { type Renewal, renewalsOf, type Sum } from '../wallet-amount.ts';
import { braintreeModule } from './load-modules.ts';
import {
  buttonHeight,
  buttonRadius,
  isDark,
  type Wallet,
  type WalletContext,
} from './wallet-context.ts';

const versions = [14, 3];

type Session = typeof ApplePaySession;

function sessionHere(): Session | null {
  const found = (window as { ApplePaySession?: Session }).ApplePaySession;
  try {
    return found?.canMakePayments() ? found : null;
  } catch {
    // Apple throws on insecure pages and in frames.
    return null;
  }
}

/** A sheet names at most two prices of a recurring payment, the first one as its trial. */
export function requestOf(sum: Sum) {
  const { label, today, currency, every } = sum;
  const amount = decimal(today, currency);
  const line = { label, paymentTiming: 'recurring' };
  const [next, full = next] = renewalsOf(sum);
  const recurringPaymentEndDate = full.at;
  const lineOf = (renewal: Renewal) => ({
    ...line,
    amount: decimal(renewal.amount, currency),
    recurringPaymentStartDate: renewal.at,
    recurringPaymentIntervalUnit: every.unit,
    recurringPaymentIntervalCount: every.count,
  });
  return {
    currencyCode: currency,
    // Zero is valid (…/applepayontheweb/applepaypaymentrequest/total); a sheet shows no amount that is pending.
    total: { label, amount, type: 'final' },
    recurringPaymentRequest: {
      paymentDescription: label,
      managementURL: new URL('/cancel', location.href).href,
      ...(today === 0 && { trialBilling: { ...line, amount, recurringPaymentEndDate } }),
      ...(next !== full && { trialBilling: { ...lineOf(next), recurringPaymentEndDate } }),
      regularBilling: lineOf(full),
    },
  };
}

/** Opens the sheet. Must run inside the click, so nothing is awaited before `begin`. */
function open(Session: Session, applePay: ApplePay, context: WalletContext): void {
  const version = versions.find((each) => Session.supportsVersion(each)) ?? 3;
  const sum = context.sum();
  const session = new Session(version, applePay.createPaymentRequest(requestOf(sum)));
  const stop = (error: unknown) => {
    session.abort();
    context.fail(error);
  };
  session.onvalidatemerchant = ({ validationURL }: { validationURL: string }) => {
    applePay
      .performValidation({ validationURL, displayName: document.title })
      .then((merchant) => session.completeMerchantValidation(merchant), stop);
  };
  session.onpaymentauthorized = ({ payment }: { payment: { token: unknown } }) => {
    const answer = (paid: boolean) =>
      session.completePayment(paid ? Session.STATUS_SUCCESS : Session.STATUS_FAILURE);
    const make = async () => {
      const { nonce } = await applePay.tokenize({ token: payment.token });
      return { nonce, bin: '' };
    };
    void context.pay(sum, make, answer);
  };
  session.begin();
}

function buttonOf(label: WalletContext['buttonLabel']): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-label', 'Apple Pay');
  const hasNativeButton = CSS.supports('-webkit-appearance', '-apple-pay-button');
  if (!hasNativeButton) button.textContent = 'Apple Pay';
  const [back, front] = isDark() ? ['white', 'black'] : ['black', 'white'];
  const look = hasNativeButton
    ? `-webkit-appearance:-apple-pay-button;-apple-pay-button-style:${back};-apple-pay-button-type:${label === 'order' ? 'order' : 'plain'}`
    : `border:0;background:${back};color:${front};font-family:inherit;font-size:17px;font-weight:var(--semibold)`;
  button.style.cssText = `inline-size:100%;block-size:${buttonHeight}px;border-radius:${buttonRadius}px;cursor:pointer;${look}`;
  return button;
}

/** Apple Pay through Braintree; null when the browser or the account does not support it. */
export const applePay: Wallet = async (context) => {
  const Session = sessionHere();
  const { gatewayConfiguration } = context.client.getConfiguration();
  if (!Session || !('applePayWeb' in gatewayConfiguration)) return null;
  const module = await braintreeModule('applePay', context.vendors);
  const instance = await module.create({ client: context.client });
  return (cell) => {
    const button = buttonOf(context.buttonLabel);
    button.addEventListener('click', () => {
      try {
        open(Session, instance, context);
      } catch (error) {
        context.fail(error);
      }
    });
    cell.append(button);
  };
};
