import type {
  PaymentMethod,
  StripeElements,
  StripeElementsOptionsMode,
  StripeError,
} from '@stripe/stripe-js';
import { ExpressElement } from './express-element.ts';
import { FieldElement } from './field-element.ts';
import {
  type FieldSetup,
  type Origins,
  type PaymentSetup,
  request,
  type Wallet,
} from './messages.ts';
import { PaymentElement } from './payment-element.ts';

interface Options {
  mode?: StripeElementsOptionsMode['mode'];
  /** docs.stripe.com/js/appendix/custom_font_source_object */
  fonts?: FieldSetup['fonts'];
  /** Minor units. */
  amount?: number;
  currency?: string;
  paymentMethodCreation?: string;
  paymentMethodTypes?: string[];
  appearance?: { variables?: PaymentSetup['colours'] & { borderRadius?: string } };
}

/** State shared by the elements of one `stripe.elements()`. */
export interface Group {
  options: Options;
  locale: string;
  /** The customer's choice in a wallet's sheet. */
  chosen?: { wallet: Wallet; card: string };
  payment?: PaymentElement;
  /** Whether `elements.submit()` has been called since. */
  submitted: boolean;
}

const wrong = (message: string) => new Error(`IntegrationError: ${message}`);

/** The options of `stripe.elements()`, validated like in Stripe.js. */
function checked(options: Options): Options {
  const { mode, amount, currency = '' } = options;
  if (mode === undefined) return options;
  if (mode !== 'subscription' && mode !== 'setup') {
    throw new Error(`the fake Stripe.js has no mode ${mode}`);
  }
  if (mode === 'setup' && amount !== undefined) {
    throw wrong('amount is not supported in setup mode.');
  }
  if (mode === 'subscription' && (!Number.isInteger(amount) || (amount ?? 0) < 0)) {
    throw wrong('amount must be a positive integer in the smallest currency unit.');
  }
  if (!/^[a-z]{3}$/.test(currency)) {
    throw wrong('currency must be a three-letter ISO code in lower case.');
  }
  return options;
}

const groups = new WeakMap<object, Group>();

/** The payment method of the wallet with which the customer has just paid. */
export async function walletMethod(
  elements: object,
  key: string,
  { api }: Origins,
): Promise<{ paymentMethod: PaymentMethod } | { error: StripeError }> {
  const group = groups.get(elements);
  if (!group) throw wrong('elements must come from stripe.elements().');
  if (group.options.paymentMethodCreation !== 'manual') {
    throw wrong('createPaymentMethod() with elements needs paymentMethodCreation: "manual".');
  }
  if (!group.submitted)
    throw wrong('elements.submit() must be called before createPaymentMethod().');
  group.submitted = false;
  if (group.payment) return (await group.payment.create()) as { paymentMethod: PaymentMethod };
  if (!group.chosen) {
    const message = 'Please choose a payment method.';
    return { error: { type: 'validation_error', code: 'incomplete', message } };
  }
  const response = await request(api, key, 'POST', '/__wallet', group.chosen);
  return response.error ? response : { paymentMethod: response.object as PaymentMethod };
}

const fields = { cardNumber: 'number', cardExpiry: 'expiry', cardCvc: 'cvc' } as const;

/** `stripe.elements()`: the three split card fields and the wallets. */
export function elementsOf(
  key: string,
  { js, api, locale }: Origins & { locale: string },
  options: object = {},
): StripeElements {
  const channel = `stripe-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const group: Group = { options: checked({ ...options }), locale, submitted: false };
  const elements = {
    create(type: string, given: object = {}) {
      if (type === 'expressCheckout') return new ExpressElement(js, group, given);
      if (type === 'payment') {
        const types = () => group.options.paymentMethodTypes ?? [];
        const colours = group.options.appearance?.variables ?? {};
        group.payment = new PaymentElement(js, () => ({ types: types(), colours, key, api }));
        return group.payment;
      }
      const field = fields[type as keyof typeof fields];
      if (!field) throw new Error(`the fake Stripe.js has no element of type ${type}`);
      return new FieldElement(js, {
        style: {},
        ...given,
        fonts: group.options.fonts ?? [],
        field,
        group: channel,
        key,
        api,
      });
    },
    update(more: object) {
      const before = group.options.paymentMethodTypes?.join();
      group.options = checked({ ...group.options, ...more });
      if (group.options.paymentMethodTypes?.join() !== before) group.payment?.redraw();
    },
    async submit() {
      const checked = (await group.payment?.check()) ?? {};
      if ('error' in checked) return checked;
      group.submitted = true;
      return group.chosen ? { selectedPaymentMethod: group.chosen.wallet } : {};
    },
  };
  groups.set(elements, group);
  return elements as unknown as StripeElements;
}
