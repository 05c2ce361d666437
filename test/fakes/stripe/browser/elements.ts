import type {
  PaymentMethod,
  StripeElements,
  StripeElementsOptionsMode,
  StripeError,
} from '@stripe/stripe-js';
import { request } from './confirm.ts';
import { ExpressElement } from './express-element.ts';
import { FieldElement } from './field-element.ts';
import type { FieldOptions, FieldType, Origins, Wallet } from './messages.ts';

interface Options {
  mode?: StripeElementsOptionsMode['mode'];
  /** Minor units. */
  amount?: number;
  currency?: string;
  paymentMethodCreation?: string;
}

/** What the elements of one `stripe.elements()` share. */
export interface Group {
  options: Options;
  /** What the customer chose in a wallet's sheet. */
  chosen?: { wallet: Wallet; card: string };
  /** `elements.submit()` was called since. */
  submitted: boolean;
}

const wrong = (message: string) => new Error(`IntegrationError: ${message}`);

/** The options of `stripe.elements()` as Stripe.js checks them. */
function groupOf(options: object = {}): Group {
  const given: Options = { ...options };
  const priced = given.mode === 'payment' || given.mode === 'subscription';
  if (given.mode !== undefined && !priced && given.mode !== 'setup') {
    throw wrong(`mode must be payment, setup or subscription, not ${given.mode}.`);
  }
  if (priced) {
    const least = given.mode === 'subscription' ? 0 : 1;
    if (!Number.isInteger(given.amount) || (given.amount ?? 0) < least) {
      throw wrong('amount must be a positive integer in the smallest currency unit.');
    }
    if (!/^[a-z]{3}$/.test(given.currency ?? '')) {
      throw wrong('currency must be a three-letter ISO code in lower case.');
    }
  }
  return { options: given, submitted: false };
}

const groups = new WeakMap<object, Group>();

/** Remembers whose elements these are, for `createPaymentMethod({ elements })`. */
const remember = (elements: object, group: Group) => void groups.set(elements, group);

/** The payment method of the wallet that the customer has just paid with. */
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
  if (!group.chosen) {
    const message = 'Please choose a payment method.';
    return { error: { type: 'validation_error', code: 'incomplete', message } };
  }
  const made = await request(api, key, 'POST', '/__wallet', {
    ...group.chosen,
    email: 'payer@example.com',
  });
  return made.error ? made : { paymentMethod: made.object as PaymentMethod };
}

const FIELDS: string[] = ['cardNumber', 'cardExpiry', 'cardCvc'] satisfies FieldType[];
type Made = FieldElement | ExpressElement;

/** `stripe.elements()`: the three split card fields and the wallets, at most one of each. */
export function elementsOf(key: string, place: Origins, options?: object): StripeElements {
  const { js, api } = place;
  const channel = `stripe-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const group = groupOf(options);
  const made = new Map<string, Made>();

  function build(type: string, given: object): Made {
    if (type === 'expressCheckout') {
      if (!group.options.mode) {
        throw new Error(
          'In order to create an express checkout element, you must pass a clientSecret or mode when creating the Elements group.',
        );
      }
      return new ExpressElement(place, group, given);
    }
    if (!FIELDS.includes(type)) {
      throw new Error(`the fake Stripe.js has no element of type ${type}`);
    }
    const own: FieldOptions = { ...given };
    const page = location.origin;
    const setup = { type: type as FieldType, options: own, group: channel, key, api, page };
    return new FieldElement(`${js}/v3/field.html`, setup);
  }

  const elements = {
    create(type: string, given: object = {}) {
      if (made.has(type))
        throw new Error(`Can only create one Element of type ${type} through elements.create().`);
      const element = build(type, given);
      const destroy = element.destroy.bind(element);
      element.destroy = () => {
        made.delete(type);
        destroy();
      };
      made.set(type, element);
      return element;
    },
    getElement: (type: string) => made.get(type) ?? null,
    update(more: object) {
      group.options = groupOf({ ...group.options, ...more }).options;
    },
    fetchUpdates: async () => ({}),
    async submit() {
      group.submitted = true;
      const { chosen } = group;
      return chosen ? { selectedPaymentMethod: chosen.wallet } : {};
    },
  };
  remember(elements, group);
  return elements as unknown as StripeElements;
}
