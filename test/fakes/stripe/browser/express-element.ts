import type {
  ClickResolveDetails,
  StripeExpressCheckoutElementOptions as ExpressOptions,
} from '@stripe/stripe-js';
import { showSheet } from '../../browser/wallet-sheet.ts';
import type { Group } from './elements.ts';
import { FrameElement } from './frame-element.ts';
import { type ExpressSetup, type FromFrame, type Wallet, walletNames } from './messages.ts';

function hasApplePay(): boolean {
  const session: { canMakePayments(): boolean } | undefined = Reflect.get(
    window,
    'ApplePaySession',
  );
  try {
    return session?.canMakePayments() ?? false;
  } catch {
    return false;
  }
}

async function hasGooglePay(): Promise<boolean> {
  if (!('PaymentRequest' in window)) return false;
  // The browser's own would ask Google whether the visitor has a card. Where it exists, the test sheet opens.
  if (/\[native code\]/.test(String(PaymentRequest))) return true;
  const data = { apiVersion: 2, apiVersionMinor: 0, environment: 'TEST' };
  const total = { label: 'Total', amount: { currency: 'USD', value: '1.00' } };
  try {
    const request = new PaymentRequest([{ supportedMethods: 'https://google.com/pay', data }], {
      total,
    });
    return await request.canMakePayment();
  } catch {
    return false;
  }
}

/** The test card behind a choice in the sheet. */
const cards = {
  approves: 'pm_card_visa',
  declines: 'pm_card_visa_chargeDeclined',
  asks: 'pm_card_authenticationRequiredOnSetup',
};

const elementType = 'expressCheckout';

/** "You must call resolve within 1 second", or the wallet does not open. */
const answerTimeoutMs = 1_000;

/** The wallet buttons, in an iframe. */
export class ExpressElement extends FrameElement {
  private readonly js: string;
  private readonly group: Group;
  private readonly options: ExpressOptions;
  private available: object | undefined;
  private busy = false;

  constructor(js: string, group: Group, options: ExpressOptions) {
    super();
    const { buttonHeight: height = 44, paymentMethods = {} } = options;
    if (height < 40 || height > 55) {
      throw new Error(`Invalid value for buttonHeight: ${height}. It must be between 40 and 55.`);
    }
    if (paymentMethods.paypal !== 'never') {
      throw new Error("the fake Stripe.js has no paypal button: it must be 'never'");
    }
    this.js = js;
    this.group = group;
    this.options = options;
  }

  protected async draw(box: HTMLElement): Promise<void> {
    const { paymentMethods = {}, layout, buttonHeight: height = 44 } = this.options;
    const { buttonType: type = {}, buttonTheme: theme = {} } = this.options;
    const applePay = paymentMethods.applePay !== 'never' && hasApplePay();
    const googlePay = paymentMethods.googlePay !== 'never' && (await hasGooglePay());
    // docs.stripe.com/elements/express-checkout-element/accept-a-payment: Link needs the types card and link.
    const types = this.group.options.paymentMethodTypes ?? [];
    const link =
      paymentMethods.link !== 'never' && types.includes('card') && types.includes('link');
    if (this.box !== box) return;
    const wallets: Wallet[] = [
      ...(applePay ? (['apple_pay'] as const) : []),
      ...(googlePay ? (['google_pay'] as const) : []),
      ...(link ? (['link'] as const) : []),
    ];
    if (wallets.length === 0) {
      this.emit('ready', { elementType, availablePaymentMethods: undefined });
      return;
    }
    this.available = {
      amazonPay: false,
      klarna: false,
      link,
      paypal: false,
      applePay,
      googlePay,
    };
    const columns = Math.min(wallets.length, layout?.maxColumns || 1);
    const gap = 12;
    const frameHeight = Math.ceil(wallets.length / columns) * (height + gap) - gap;
    const { direction } = getComputedStyle(box);
    const { locale, options } = this.group;
    const radius = options.appearance?.variables?.borderRadius ?? '6px';
    const setup: ExpressSetup = {
      wallets,
      columns,
      height,
      type,
      theme,
      direction,
      locale,
      radius,
    };
    const title = 'Secure express checkout frame';
    this.show(`${this.js}/v3/express.html`, title, frameHeight, setup);
  }

  protected handle(message: FromFrame): void {
    if (message.kind === 'press') this.press(message.wallet);
    if (message.kind === 'ready') {
      this.emit('ready', { elementType, availablePaymentMethods: this.available });
    }
  }

  /** After a press the page may still change the wallet's content. */
  private press(wallet: Wallet): void {
    if (this.busy) return;
    this.busy = true;
    const timer = setTimeout(() => {
      this.busy = false;
      throw new Error(
        'IntegrationError: resolve was not called within 1 second of the click event.',
      );
    }, answerTimeoutMs);
    const resolve = (details: ClickResolveDetails = {}) => {
      clearTimeout(timer);
      if (this.busy) void this.open(wallet, details);
    };
    this.emit('click', { elementType, expressPaymentType: wallet, resolve });
  }

  private async open(wallet: Wallet, { lineItems = [] }: ClickResolveDetails): Promise<void> {
    const { amount = 0, currency = 'usd' } = this.group.options;
    const money = new Intl.NumberFormat('en', { style: 'currency', currency });
    const lines = [...lineItems, { name: 'Total', amount }].map(({ name, amount: sum }) => ({
      label: name,
      price: money.format(sum / 100),
    }));
    const offers = ['approves', 'declines', 'asks'] as const;
    const sheet = showSheet({ name: walletNames[wallet], lines, offers: [...offers] });
    const choice = await sheet.chosen;
    sheet.close();
    this.busy = false;
    if (!choice) {
      this.emit('cancel', { elementType });
      return;
    }
    this.group.chosen = { wallet, card: cards[choice] };
    const paymentFailed = () => {
      this.group.chosen = undefined;
    };
    this.emit('confirm', { elementType, expressPaymentType: wallet, paymentFailed });
  }
}
