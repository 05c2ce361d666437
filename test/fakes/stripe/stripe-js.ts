import type { Stripe, StripeConstructor, StripeError } from '@stripe/stripe-js';
import { type CardData, type Confirmed, confirmer } from './browser/confirm.ts';
import { elementsOf, walletMethod } from './browser/elements.ts';

import { FieldElement } from './browser/field-element.ts';
import { originsOf } from './browser/messages.ts';

/** The implemented part of Stripe.js; the rest throws when it is called. */
type Has = Pick<
  Stripe,
  | 'elements'
  | 'confirmCardPayment'
  | 'handleCardAction'
  | 'handleNextAction'
  | 'paymentRequest'
  | 'retrievePaymentIntent'
  | 'registerAppInfo'
  | 'createPaymentMethod'
>;

type Given = { type?: string; card?: unknown; elements?: object };

const script = document.currentScript;
const place = originsOf(script instanceof HTMLScriptElement ? script.src : '');

const payment = ({ intent, error }: Confirmed) => (error ? { error } : { paymentIntent: intent });

function standIn(key: string): Has {
  const { retrieve, confirm, act } = confirmer(key, place);
  return {
    elements: (options?: object) => elementsOf(key, place, options),
    async createPaymentMethod(given: unknown) {
      const { type, card, elements, ...details } = given as Given;
      if (elements) return walletMethod(elements, key, place);
      if (type !== 'card' || !(card instanceof FieldElement)) {
        throw new Error('the fake Stripe.js makes payment methods of a cardNumber element');
      }
      return (await card.create(details)) as { error: StripeError };
    },
    confirmCardPayment: async (secret, data, options) =>
      payment(await confirm(secret, data as CardData, options)),
    async handleNextAction(options) {
      if (!('clientSecret' in options)) throw new Error('the fake Stripe.js needs a clientSecret');
      const { clientSecret } = options;
      const { intent, error } = await retrieve(clientSecret);
      if (error) return { error };
      if (intent.status !== 'requires_action') {
        throw new Error('handleNextAction: the PaymentIntent is not in the requires_action state.');
      }
      return payment(await act(intent, clientSecret));
    },
    async handleCardAction(secret) {
      const found = await retrieve(secret);
      return payment(found.error ? found : await act(found.intent, secret));
    },
    retrievePaymentIntent: async (secret) => payment(await retrieve(secret)),
    // Stripe.js resolves to null without a wallet.
    paymentRequest: () =>
      ({ canMakePayment: async () => null, on: () => undefined }) as unknown as ReturnType<
        Stripe['paymentRequest']
      >,
    registerAppInfo: () => undefined,
  };
}

const create = (key: string) => {
  if (!/^pk_test_/.test(key)) {
    throw new Error(
      `Please call Stripe() with your publishable test key. You used ${key.slice(0, 8)}…`,
    );
  }
  return new Proxy(standIn(key), {
    get(target, name) {
      // `then` must be absent, or awaiting the object would call it; names with _ are probed.
      if (name in target || typeof name === 'symbol' || name === 'then' || name.startsWith('_')) {
        return Reflect.get(target, name);
      }
      return () => {
        throw new Error(`the fake Stripe.js has no ${name}()`);
      };
    },
  });
};

// @stripe/stripe-js 10 warns unless the script says that it is of its own release train.
window.Stripe = Object.assign(create, { version: 'endive' }) as unknown as StripeConstructor;
