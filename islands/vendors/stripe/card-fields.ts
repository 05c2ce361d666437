import type { Stripe } from '@stripe/stripe-js';
import {
  type CardErrors,
  type CardField,
  type CardWords,
  cardFields,
} from '../payment-provider.ts';

const kinds = { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' } as const;

/** The field that a Stripe error concerns; null for none. */
export function fieldOf(code: string | undefined): CardField | null {
  if (/number/.test(code ?? '')) return 'number';
  if (/expiry|expired/.test(code ?? '')) return 'expiry';
  return /cvc/.test(code ?? '') ? 'cvc' : null;
}

/** Styles from our tokens, copied because the frames cannot read them. */
function fieldStyle() {
  const token = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
  return {
    base: {
      color: token('--ink'),
      iconColor: token('--ink-soft'),
      fontSize: '17px',
      lineHeight: '24px',
      fontFamily: '-apple-system, Segoe UI, Roboto, Arial, sans-serif',
      '::placeholder': { color: token('--ink-soft') },
    },
    invalid: { color: token('--danger'), iconColor: token('--danger') },
  };
}

interface Change {
  complete: boolean;
  error?: object | undefined;
}

export function mountCard(
  stripe: Stripe,
  boxes: Record<CardField, HTMLElement>,
  { example, wrong }: CardWords,
  onError: (field: CardField, message: string) => void,
) {
  const group = stripe.elements();
  const style = fieldStyle();
  const card = group.create(kinds.number, { style, showIcon: true });
  const expiry = group.create(kinds.expiry, { style, placeholder: example });
  const cvc = group.create(kinds.cvc, { style, placeholder: '123' });
  const elements = { number: card, expiry, cvc };
  // A field that was never touched has reported no error.
  const messages: CardErrors = { ...wrong };
  // Stripe's own messages do not fit beside a narrow field.
  const onChange = (field: CardField) => (event: Change) => {
    messages[field] = event.complete ? '' : wrong[field];
    onError(field, event.error ? wrong[field] : '');
  };
  card.on('change', onChange('number'));
  expiry.on('change', onChange('expiry'));
  cvc.on('change', onChange('cvc'));
  for (const field of cardFields) elements[field].mount(boxes[field]);
  return {
    card,
    /** Errors of the fields that prevent sending the card. */
    errors: (): CardErrors =>
      Object.fromEntries(Object.entries(messages).filter(([, message]) => message)),
    focus: (field: CardField) => elements[field].focus(),
    unmount() {
      for (const field of cardFields) elements[field].destroy();
    },
  };
}
