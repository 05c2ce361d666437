import { drawGooglePay } from '../../browser/google-pay-button.ts';
import { showSheet } from '../../browser/wallet-sheet.ts';
import { reachableUrl } from './script-origin.ts';

interface Recurring {
  currencyCode: string;
  countryCode: string;
  immediateTotalPrice: string;
  introductoryPeriodInfo: { label: string; totalPrice: string };
  recurrenceItems: { price: string; billingInitialDateTime: string }[];
}

interface Request {
  allowedPaymentMethods: { tokenizationSpecification: { parameters: Record<string, string> } }[];
  recurringTransactionInfo: Recurring;
}

interface ButtonOptions {
  onClick: () => void;
  buttonType: string;
  buttonColor: string;
  buttonLocale: string;
}

const script = document.currentScript;
const here = script instanceof HTMLScriptElement ? script.src : '';

function linesOf({ recurringTransactionInfo: recurring }: Request) {
  const { currencyCode, introductoryPeriodInfo: first, immediateTotalPrice } = recurring;
  const then = recurring.recurrenceItems.map(({ billingInitialDateTime, price }) => ({
    label: `From ${billingInitialDateTime.slice(0, 10)}`,
    price: `${price} ${currencyCode}`,
  }));
  return [{ label: first.label, price: `${immediateTotalPrice} ${currencyCode}` }, ...then];
}

const refused = (statusCode: string) => Object.assign(new Error(statusCode), { statusCode });

/** The part of Google's client that a shop uses. */
class PaymentsClient {
  /** As Google reports it: a browser without payment requests has no Google Pay. */
  isReadyToPay = async () => ({ result: 'PaymentRequest' in window });

  createButton({ onClick, buttonType, buttonColor, buttonLocale }: ButtonOptions): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    const front = buttonColor === 'white' ? 'black' : 'white';
    button.style.cssText = `inline-size:100%;block-size:100%;border:0;border-radius:12px;background:${buttonColor};color:${front};font-family:inherit;font-size:17px;font-weight:var(--semibold)`;
    drawGooglePay(button, buttonLocale, buttonType === 'order');
    button.addEventListener('click', onClick);
    return button;
  }

  async loadPaymentData(request: Request) {
    if (!navigator.userActivation.isActive) throw refused('DEVELOPER_ERROR');
    const [method] = request.allowedPaymentMethods;
    const gateway = method?.tokenizationSpecification.parameters.gateway;
    if (gateway !== 'braintree') throw refused('DEVELOPER_ERROR');
    const lines = linesOf(request);
    const offers = ['approves', 'declines', 'asks'] as const;
    const sheet = showSheet({ name: 'Google Pay', lines, offers: [...offers] });
    const choice = await sheet.chosen;
    sheet.close();
    if (!choice) throw refused('CANCELED');
    const response = await fetch(reachableUrl('https://pay.google.com/fake/token', here), {
      method: 'POST',
      body: JSON.stringify({ choice }),
    });
    const token = await response.text();
    return { apiVersion: 2, paymentMethodData: { tokenizationData: { token } } };
  }
}

const given = (window as { google?: object }).google;
Object.assign(window, { google: { ...given, payments: { api: { PaymentsClient } } } });
