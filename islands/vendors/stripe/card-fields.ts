import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import type { CardField } from '../payment-provider.ts';

const kinds = { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' } as const;

/** The card field that an error of the provider is about; null when it is about none of them. */
export function fieldOf(code: string | undefined): CardField | null {
  if (/number/.test(code ?? '')) return 'number';
  if (/expiry|expired/.test(code ?? '')) return 'expiry';
  return /cvc/.test(code ?? '') ? 'cvc' : null;
}

/** The look of the provider's fields, from our tokens; their frames can not read them. */
function look() {
  const token = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
  return {
    base: {
      color: token('--ink'),
      iconColor: token('--ink-soft'),
      fontSize: '17px',
      lineHeight: '24px',
      fontFamily: 'system-ui, sans-serif',
      '::placeholder': { color: token('--ink-soft') },
    },
    invalid: { color: token('--danger'), iconColor: token('--danger') },
  };
}

/**
 * Mounts the provider's three card fields into boxes of ours.
 *
 * @param example how a date is written, such as `MM / YY`
 * @param onError hears a field's error as the provider words it; empty when it is gone
 * @returns the number's element, which stands for the card, and how to take all three away
 */
export function mountCard(
  stripe: Stripe,
  boxes: Record<CardField, HTMLElement>,
  example: string,
  onError: (field: CardField, message: string) => void,
): { card: StripeCardNumberElement; unmount: () => void } {
  const elements = stripe.elements();
  const style = look();
  const card = elements.create(kinds.number, { style, showIcon: true });
  const expiry = elements.create(kinds.expiry, { style, placeholder: example });
  const cvc = elements.create(kinds.cvc, { style, placeholder: '123' });
  card.on('change', ({ error }) => onError('number', error?.message ?? ''));
  expiry.on('change', ({ error }) => onError('expiry', error?.message ?? ''));
  cvc.on('change', ({ error }) => onError('cvc', error?.message ?? ''));
  card.mount(boxes.number);
  expiry.mount(boxes.expiry);
  cvc.mount(boxes.cvc);
  const unmount = () => {
    for (const element of [card, expiry, cvc]) element.destroy();
  };
  return { card, unmount };
}
