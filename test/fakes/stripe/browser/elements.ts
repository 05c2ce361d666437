import type { StripeElements } from '@stripe/stripe-js';
import { groupOf, remember } from './elements-group.ts';
import { ExpressElement } from './express-element.ts';
import { FieldElement } from './field-element.ts';
import type { FieldOptions, FieldType } from './messages.ts';
import type { Origins } from './script-origin.ts';

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
