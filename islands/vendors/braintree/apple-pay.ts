import type { ApplePay, ApplePaySession } from 'braintree-web';
import { decimal, type Sum } from '../wallet-amount.ts';
import { braintreeModule } from './load-modules.ts';
import {
  buttonHeight,
  buttonRadius,
  isDark,
  type Wallet,
  type WalletContext,
} from './wallet-context.ts';

/** Of Apple's interface: the first that knows recurring payments. Older browsers ignore those. */
const versions = [14, 3];

type Session = typeof ApplePaySession;

/** Apple's own, where the device has a wallet. */
function sessionHere(): Session | null {
  const found = (window as { ApplePaySession?: Session }).ApplePaySession;
  try {
    return found?.canMakePayments() ? found : null;
  } catch {
    // A page that is not secure, or a frame: there Apple throws.
    return null;
  }
}

/** Today's charge, and the renewals under it. */
function requestOf({ label, today, renewal, currency, months, renews }: Sum) {
  return {
    currencyCode: currency,
    total: { label, amount: decimal(today), type: 'final' },
    recurringPaymentRequest: {
      paymentDescription: label,
      managementURL: new URL('/cancel', location.href).href,
      regularBilling: {
        label,
        amount: decimal(renewal),
        paymentTiming: 'recurring',
        recurringPaymentStartDate: renews(),
        recurringPaymentIntervalUnit: 'month',
        recurringPaymentIntervalCount: months,
      },
    },
  };
}

/** Opens Apple's sheet. It has to happen inside the click: nothing is waited for before `begin`. */
function open(Session: Session, applePay: ApplePay, till: WalletContext): void {
  const version = versions.find((one) => Session.supportsVersion(one)) ?? 3;
  const sum = till.sum();
  const session = new Session(version, applePay.createPaymentRequest(requestOf(sum)));
  const stop = (error: unknown) => {
    session.abort();
    till.fail(error);
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
    void till.pay(sum, make, answer);
  };
  session.begin();
}

/** Safari draws Apple's button itself; where it can not, it is one of ours in Apple's colours. */
function buttonOf(words: WalletContext['words']): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-label', 'Apple Pay');
  const drawn = CSS.supports('-webkit-appearance', '-apple-pay-button');
  if (!drawn) button.textContent = 'Apple Pay';
  const [back, front] = isDark() ? ['white', 'black'] : ['black', 'white'];
  const look = drawn
    ? `-webkit-appearance:-apple-pay-button;-apple-pay-button-style:${back};-apple-pay-button-type:${words === 'order' ? 'order' : 'plain'}`
    : `border:0;background:${back};color:${front};font:600 17px system-ui,sans-serif`;
  button.style.cssText = `inline-size:100%;block-size:${buttonHeight}px;border-radius:${buttonRadius}px;cursor:pointer;${look}`;
  return button;
}

/** Apple Pay by Braintree, where Safari has a wallet and the account has it open. */
export const applePay: Wallet = async (till) => {
  const Session = sessionHere();
  const { gatewayConfiguration } = till.client.getConfiguration();
  if (!Session || !('applePayWeb' in gatewayConfiguration)) return null;
  const module = await braintreeModule('applePay', till.vendors);
  const instance = await module.create({ client: till.client });
  return (cell) => {
    const button = buttonOf(till.words);
    button.addEventListener('click', () => {
      try {
        open(Session, instance, till);
      } catch (error) {
        till.fail(error);
      }
    });
    cell.append(button);
  };
};
