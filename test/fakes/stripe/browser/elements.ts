import type { StripeElements } from '@stripe/stripe-js';
import { FieldElement } from './field-element.ts';
import type { FieldOptions, FieldType } from './messages.ts';
import type { Place } from './place.ts';

const TYPES: string[] = ['cardNumber', 'cardExpiry', 'cardCvc'] satisfies FieldType[];

/** `stripe.elements()`: the three split card fields, at most one of each. */
export function elementsOf(key: string, { js, api }: Place): StripeElements {
  const group = `stripe-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const made = new Map<string, FieldElement>();
  const elements = {
    create(type: FieldType, options: FieldOptions = {}) {
      if (!TYPES.includes(type)) {
        throw new Error(`the stand-in of Stripe.js has no element of type ${type}`);
      }
      if (made.has(type))
        throw new Error(`Can only create one Element of type ${type} through elements.create().`);
      const page = location.origin;
      const setup = { type, options: { ...options }, group, key, api, page };
      const element = new FieldElement(`${js}/v3/field.html`, setup);
      const destroy = element.destroy.bind(element);
      element.destroy = () => {
        made.delete(type);
        destroy();
      };
      made.set(type, element);
      return element;
    },
    getElement: (type: string) => made.get(type) ?? null,
    update: async () => undefined,
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  };
  return elements as unknown as StripeElements;
}
