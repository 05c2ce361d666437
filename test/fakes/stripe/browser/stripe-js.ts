import type {
  PaymentIntent,
  PaymentMethod,
  SetupIntent,
  Stripe,
  StripeConstructor,
  StripeError,
} from '@stripe/stripe-js';
import { elementsOf, walletMethod } from './elements.ts';
import { FieldElement } from './field-element.ts';
import { type ChallengeSetup, type FromFrame, fragmentOf, originsOf, request } from './messages.ts';

/** The implemented part of Stripe.js; calling anything else throws. */
type ImplementedMethods = Pick<Stripe, 'elements' | 'handleNextAction' | 'createPaymentMethod'>;

const script = document.currentScript;
const origins = originsOf(script instanceof HTMLScriptElement ? script.src : '');

/** Shows the bank's page above ours; resolves after the customer's choice. */
function showBank(setup: ChallengeSetup): Promise<void> {
  const frame = document.createElement('iframe');
  const before = document.activeElement;
  frame.title = '3D Secure authentication frame';
  frame.style.cssText =
    'position:fixed;inset:0;width:100%;height:100%;border:0;color-scheme:light only;z-index:2147483647;background:rgb(0 0 0/.4)';
  frame.src = `${origins.js}/v3/challenge.html#${fragmentOf(setup)}`;
  return new Promise((done) => {
    const onMessage = ({ source, data }: MessageEvent<FromFrame>) => {
      if (source !== frame.contentWindow || data.kind !== 'challenged') return;
      removeEventListener('message', onMessage);
      frame.remove();
      if (before instanceof HTMLElement) before.focus();
      done();
    };
    addEventListener('message', onMessage);
    document.body.append(frame);
  });
}

/** https://docs.stripe.com/js/payment_intents/handle_next_action */
const notYou = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const;

type MethodFields = { type?: string; card?: unknown; elements?: object };

function clientOf(key: string, locale: string): ImplementedMethods {
  const { api } = origins;
  async function retrieve(secret: string) {
    const id = secret.split('_secret_')[0] ?? '';
    const path = `/${id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'}/${id}`;
    const answer = await request(api, key, 'GET', path, { client_secret: secret });
    return answer.error ? answer : { intent: answer.object as PaymentIntent | SetupIntent };
  }
  return {
    elements: (options?: object) => elementsOf(key, { ...origins, locale }, options),
    async createPaymentMethod(given: unknown) {
      const { type, card, elements, ...details } = given as MethodFields;
      if (elements) return walletMethod(elements, key, origins);
      // docs.stripe.com/js/payment_methods/create_payment_method: PayPal needs no details.
      if (type === 'paypal') {
        const response = await request(api, key, 'POST', '/payment_methods', { type });
        return response.error ? response : { paymentMethod: response.object as PaymentMethod };
      }
      if (type !== 'card' || !(card instanceof FieldElement)) {
        throw new Error('the fake Stripe.js makes payment methods of a cardNumber element');
      }
      return (await card.create(details)) as { error: StripeError };
    },
    async handleNextAction(options) {
      if (!('clientSecret' in options)) throw new Error('the fake Stripe.js needs a clientSecret');
      const { clientSecret: secret } = options;
      const before = await retrieve(secret);
      if ('error' in before) return { error: before.error };
      const { id, status } = before.intent;
      if (status !== 'requires_action') {
        throw new Error('handleNextAction: the intent is not in the requires_action state.');
      }
      const { redirect_to_url: redirect } = before.intent.next_action ?? {};
      if (redirect?.return_url) {
        const setup = { intent: id, secret, key, api, returnUrl: redirect.return_url };
        location.assign(`${origins.js}/v3/redirect.html#${fragmentOf(setup)}`);
        return new Promise(() => {});
      }
      await showBank({ intent: id, secret, key, api });
      const after = await retrieve(secret);
      if ('error' in after) return { error: after.error };
      const { intent } = after;
      const isSetup = intent.object === 'setup_intent';
      if (!intent.status.startsWith('requires_')) {
        return isSetup ? { setupIntent: intent } : { paymentIntent: intent };
      }
      const found = isSetup ? intent.last_setup_error : intent.last_payment_error;
      const failed = found?.code?.endsWith('_authentication_failure') ?? true;
      const error: StripeError = failed ? notYou : (found as StripeError);
      return {
        error: isSetup ? { ...error, setup_intent: intent } : { ...error, payment_intent: intent },
      };
    },
  };
}

const create = (key: string, { locale = 'en' }: { locale?: string } = {}) => {
  if (!/^pk_test_/.test(key)) {
    throw new Error(
      `Please call Stripe() with your publishable test key. You used ${key.slice(0, 8)}…`,
    );
  }
  return new Proxy(clientOf(key, locale), {
    get(target, name) {
      // `then` must be absent, or awaiting the object would call it; names with _ are only probed.
      if (name in target || typeof name === 'symbol' || name === 'then' || name.startsWith('_')) {
        return Reflect.get(target, name);
      }
      return () => {
        throw new Error(`the fake Stripe.js has no ${name}()`);
      };
    },
  });
};

// @stripe/stripe-js 10 warns unless the script states its own release train.
window.Stripe = Object.assign(create, { version: 'endive' }) as unknown as StripeConstructor;
