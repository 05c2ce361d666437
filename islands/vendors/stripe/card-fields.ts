import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import type { CardField } from '../payment-provider.ts';

const kinds = { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' } as const;

/** The field that a Stripe error concerns; null for none. */
export function fieldOf(code: string | undefined): CardField | null {
  if (/number/.test(code ?? '')) return 'number';
  if (/expiry|expired/.test(code ?? '')) return 'expiry';
  return /cvc/.test(code ?? '') ? 'cvc' : null;
}

/** Styles from our tokens, copied because the frames cannot read them. */
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
