import { type Line, showSheet } from '../../browser/wallet-sheet.ts';

interface Request {
  countryCode: string;
  currencyCode: string;
  supportedNetworks: string[];
  merchantCapabilities: string[];
  total: { label: string; amount: string };
  recurringPaymentRequest?: {
    regularBilling: { label: string; amount: string; recurringPaymentStartDate: Date };
  };
}

type Handler<Event> = (event: Event) => void;

function linesOf({ total, currencyCode, recurringPaymentRequest }: Request): Line[] {
  const today = { label: total.label, price: `${total.amount} ${currencyCode}` };
  const regular = recurringPaymentRequest?.regularBilling;
  if (!regular) return [today];
  const from = regular.recurringPaymentStartDate.toISOString().slice(0, 10);
  return [today, { label: `From ${from}`, price: `${regular.amount} ${currencyCode}` }];
}

/** developer.apple.com/documentation/applepayontheweb/applepaypaymentrequest/total */
const missing = ({ countryCode, currencyCode, supportedNetworks, total }: Request) =>
  !countryCode ||
  !currencyCode ||
  !supportedNetworks?.length ||
  !total?.label ||
  !(Number(total.amount) >= 0);

/** Apple's class of the same name, for browsers without Apple Pay. */
class FakeApplePaySession {
  static readonly STATUS_SUCCESS = 0;
  static readonly STATUS_FAILURE = 1;
  static canMakePayments = () => true;
  static supportsVersion = (version: number) => version <= 14;

  onvalidatemerchant?: Handler<{ validationURL: string }>;
  onpaymentauthorized?: Handler<{ payment: { token: object } }>;
  oncancel?: Handler<object>;
  private readonly request: Request;
  private sheet: ReturnType<typeof showSheet> | undefined;

  constructor(_version: number, request: Request) {
    // Safari requires the click event that is being handled; after an await it is too late.
    if (window.event?.type !== 'click') {
      throw new DOMException('Must create a new ApplePaySession from a user gesture handler.');
    }
    if (missing(request)) throw new TypeError('the payment request is not whole');
    this.request = request;
  }

  begin(): void {
    const validationURL = 'https://apple-pay-gateway-cert.apple.com/paymentservices/startSession';
    setTimeout(() => this.onvalidatemerchant?.({ validationURL }));
  }

  async completeMerchantValidation(merchant: { merchantSessionIdentifier?: string }) {
    if (!merchant?.merchantSessionIdentifier) throw new TypeError('not a merchant session');
    const lines = linesOf(this.request);
    this.sheet = showSheet({ name: 'Apple Pay', lines, offers: ['approves', 'declines'] });
    const choice = await this.sheet.chosen;
    if (!choice) {
      this.sheet.close();
      return this.oncancel?.({});
    }
    const paymentMethod = { displayName: 'Visa 1111', network: 'Visa', type: 'credit' };
    const token = { paymentData: { choice }, paymentMethod, transactionIdentifier: 'fake' };
    this.onpaymentauthorized?.({ payment: { token } });
  }

  completePayment(): void {
    this.sheet?.close();
  }

  abort(): void {
    this.sheet?.close();
  }
}

Object.assign(window, { ApplePaySession: FakeApplePaySession });
