import type {
  AvailablePaymentMethods,
  ClickResolveDetails,
  StripeExpressCheckoutElementOptions as ExpressOptions,
} from '@stripe/stripe-js';
import type { Group } from './elements.ts';
import type { ExpressSetup, FromExpress, Origins, Wallet } from './messages.ts';
import { Emitter } from './messages.ts';

import { showSheet } from './wallet-sheet.ts';

type Applepay = { canMakePayments(): boolean };
function hasApplePay(): boolean {
  const session: Applepay | undefined = Reflect.get(window, 'ApplePaySession');
  try {
    return session?.canMakePayments() ?? false;
  } catch {
    return false;
  }
}

async function hasGooglePay(amount: number, currency: string): Promise<boolean> {
  if (!('PaymentRequest' in window)) return false;
  // Stripe asks in a frame of its own; from here the browser's own would ask Google in our name.
  if (/\[native code\]/.test(String(PaymentRequest))) return false;
  const data = { apiVersion: 2, apiVersionMinor: 0, environment: 'TEST' };
  const value = (amount / 100).toFixed(2);
  try {
    const asked = new PaymentRequest([{ supportedMethods: 'https://google.com/pay', data }], {
      total: { label: 'Total', amount: { currency: currency.toUpperCase(), value } },
    });
    return await asked.canMakePayment();
  } catch {
    return false;
  }
}

/** Which buttons are drawn, by the page's options and by what the browser has, in Stripe's order. */
async function offersOf(
  { paymentMethods = {}, wallets = {}, paymentMethodOrder = [] }: ExpressOptions,
  amount: number,
  currency: string,
): Promise<Wallet[]> {
  const asked = { ...wallets, ...paymentMethods };
  const shows = async (option: string | undefined, has: () => boolean | Promise<boolean>) =>
    option === 'always' || (option !== 'never' && (await has()));
  const offered: Record<Wallet, boolean> = {
    apple_pay: await shows(asked.applePay, hasApplePay),
    google_pay: await shows(asked.googlePay, () => hasGooglePay(amount, currency)),
    paypal: await shows(asked.paypal, () => true),
    link: await shows(asked.link, () => true),
  };
  const found = (Object.keys(offered) as Wallet[]).filter((wallet) => offered[wallet]);
  const spelt = paymentMethodOrder.map((name) => name.replace('Pay', '_pay'));
  const place = (wallet: Wallet) => (spelt.includes(wallet) ? spelt.indexOf(wallet) : 99);
  return found.sort((a, b) => place(a) - place(b));
}

/** As the `ready` event says it: nothing at all where no button is drawn. */
const availableOf = (offers: Wallet[]): AvailablePaymentMethods | undefined =>
  offers.length === 0
    ? undefined
    : {
        amazonPay: false,
        applePay: offers.includes('apple_pay'),
        googlePay: offers.includes('google_pay'),
        klarna: false,
        link: offers.includes('link'),
        paypal: offers.includes('paypal'),
      };

const elementType = 'expressCheckout';
const gap = 12;

/** "You must call resolve within 1 second", or the wallet does not open. */
const answerTimeoutMs = 1_000;

/** The wallet buttons, in an iframe. */
export class ExpressElement extends Emitter {
  readonly _elementType = elementType;
  private readonly place: Origins;
  private readonly group: Group;
  private readonly options: ExpressOptions;
  private frame: HTMLIFrameElement | undefined;
  private box: HTMLElement | undefined;
  private busy = false;

  constructor(place: Origins, group: Group, options: ExpressOptions) {
    super();
    const height = options.buttonHeight ?? 44;
    if (height < 40 || height > 55) {
      throw new Error(`Invalid value for buttonHeight: ${height}. It must be between 40 and 55.`);
    }
    this.place = place;
    this.group = group;
    this.options = { ...options, buttonHeight: height };
  }

  mount(where: string | HTMLElement): void {
    const box = typeof where === 'string' ? document.querySelector<HTMLElement>(where) : where;
    if (!box?.isConnected) {
      throw new Error(
        `The selector you specified (${where}) applies to no DOM elements that are currently on the page.`,
      );
    }
    this.unmount();
    this.box = box;
    addEventListener('message', this.hear);
    void this.draw(box);
  }

  unmount(): void {
    removeEventListener('message', this.hear);
    this.box?.replaceChildren();
    this.box = undefined;
    this.frame = undefined;
  }

  destroy(): void {
    this.unmount();
    this.forget();
  }

  update(options: ExpressOptions): this {
    Object.assign(this.options, options);
    if (this.box) void this.draw(this.box);
    return this;
  }

  focus = (): void => this.frame?.focus();
  blur = (): void => this.frame?.blur();
  clear = (): void => undefined;

  private async draw(box: HTMLElement): Promise<void> {
    const { amount, currency } = this.group.options;
    const wallets = await offersOf(this.options, amount ?? 0, currency ?? 'usd');
    if (this.box !== box) return;
    const availablePaymentMethods = availableOf(wallets);
    const ready = () => this.emit('ready', { elementType, availablePaymentMethods });
    if (wallets.length === 0) {
      box.replaceChildren();
      ready();
      return;
    }
    const { buttonHeight: height = 44, layout, buttonTheme = {}, buttonType = {} } = this.options;
    const fitting = layout?.maxColumns || (box.clientWidth >= 500 ? 2 : 1);
    const columns = Math.min(wallets.length, fitting);
    const rows = Math.ceil(wallets.length / columns);
    const setup: ExpressSetup = {
      wallets,
      columns,
      height,
      theme: buttonTheme,
      type: buttonType,
      page: location.origin,
      direction: getComputedStyle(box).direction,
    };
    const frame = document.createElement('iframe');
    frame.title = 'Secure express checkout frame';
    frame.allow = 'payment *';
    frame.style.cssText = `border:0;display:block;width:100%;color-scheme:light only;height:${rows * (height + gap) - gap}px`;
    frame.src = `${this.place.js}/v3/express.html#${encodeURIComponent(JSON.stringify(setup))}`;
    this.frame = frame;
    this.whenReady = ready;
    box.replaceChildren(frame);
  }

  private whenReady: () => void = () => undefined;

  private readonly hear = ({ source, data }: MessageEvent<FromExpress>): void => {
    if (!this.frame || source !== this.frame.contentWindow) return;
    if (data.kind === 'press') this.press(data.wallet);
    else if (data.kind === 'ready') this.whenReady();
    else this.emit(data.kind, { elementType });
  };

  /** After a press the page may still change what the wallet shows, or reject it. */
  private press(wallet: Wallet): void {
    if (this.busy) return;
    this.busy = true;
    const late = () => {
      this.busy = false;
      throw new Error(
        'IntegrationError: resolve was not called within 1 second of the click event.',
      );
    };
    const timer = setTimeout(late, answerTimeoutMs);
    const settle = (go: () => void) => () => {
      if (!this.busy) return;
      clearTimeout(timer);
      go();
    };
    const reject = settle(() => {
      this.busy = false;
    });
    const resolve = (details?: ClickResolveDetails) =>
      settle(() => void this.open(wallet, details))();
    if (!this.hears('click')) resolve();
    this.emit('click', { elementType, expressPaymentType: wallet, resolve, reject });
  }

  private async open(wallet: Wallet, details: ClickResolveDetails = {}): Promise<void> {
    const { amount = 0, currency = 'usd' } = this.group.options;
    const lines = details.lineItems ?? this.options.lineItems ?? [];
    const page = location.origin;
    const said = await showSheet(this.place, { wallet, amount, currency, lines, page });
    this.busy = false;
    if (said.kind === 'leaves') {
      this.emit('cancel', { elementType });
      return;
    }
    this.group.chosen = { wallet, card: said.card };
    const email = details.emailRequired ?? this.options.emailRequired;
    this.emit('confirm', {
      elementType,
      expressPaymentType: wallet,
      billingDetails: {
        name: 'Test Payer',
        ...(email ? { email: 'payer@example.com' } : {}),
        address: { city: '', country: 'US', line1: '', line2: null, postal_code: '', state: '' },
      },
      paymentFailed: () => {
        this.group.chosen = undefined;
      },
    });
  }
}
