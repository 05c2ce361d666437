import type { Stripe } from '@stripe/stripe-js';
import {
  type CardCause,
  type CardErrors,
  type CardField,
  type CardWords,
  cardFields,
  type ReportField,
} from '../payment-provider.ts';

const kinds = { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' } as const;

/** The field that a Stripe error concerns; null for none. */
export function cardField(code: string | undefined): CardField | null {
  if (/number/.test(code ?? '')) return 'number';
  if (/expiry|expired/.test(code ?? '')) return 'expiry';
  return /cvc/.test(code ?? '') ? 'cvc' : null;
}

/** Our font for Stripe's frames: docs.stripe.com/js/appendix/custom_font_source_object */
function fieldFonts() {
  const faces = document.querySelector<HTMLScriptElement>('script[data-faces]');
  const { fonts: family } = document.documentElement.dataset;
  const path = faces?.dataset.fields;
  if (!family || !path) return [];
  return [{ family, src: `url(${location.origin}${path})`, weight: '400' }];
}

/** Styles from our tokens, copied because the frames cannot read them. */
function fieldStyle(families: string[]) {
  const token = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
  return {
    base: {
      color: token('--ink'),
      iconColor: token('--ink-soft'),
      fontSize: '17px',
      lineHeight: '24px',
      fontFamily: [...families, '-apple-system, Segoe UI, Roboto, Arial, sans-serif'].join(', '),
      textAlign: document.dir === 'rtl' ? 'right' : 'left',
      '::placeholder': { color: token('--ink-soft') },
    },
    // Stripe's own is red; the field's edge and its message are red here.
    invalid: { color: token('--ink'), iconColor: token('--ink-soft') },
  };
}

export const causeOf = (code: string | undefined): CardCause =>
  /incomplete/.test(code ?? '') ? 'incomplete' : 'invalid';

interface Change {
  empty: boolean;
  complete: boolean;
  error?: { code: string } | undefined;
}

export function mountCard(
  stripe: Stripe,
  boxes: Record<CardField, HTMLElement>,
  { example, wrong }: CardWords,
  report: ReportField,
) {
  const fonts = fieldFonts();
  const group = stripe.elements({ fonts });
  const style = fieldStyle(fonts.map(({ family }) => family));
  const card = group.create(kinds.number, {
    style,
    showIcon: true,
    placeholder: '1234 1234 1234 1234',
  });
  const expiry = group.create(kinds.expiry, { style, placeholder: example });
  const cvc = group.create(kinds.cvc, { style, placeholder: '123' });
  const elements = { number: card, expiry, cvc };
  // A field that was never touched has reported no error.
  const messages = Object.fromEntries(
    cardFields.map((field) => [field, wrong[field].empty]),
  ) as Record<CardField, string>;
  // Stripe's own messages are not in all of our languages.
  const onChange = (field: CardField) => (event: Change) => {
    const { empty, complete, error } = event;
    const cause = empty ? 'empty' : causeOf(error?.code ?? 'incomplete');
    messages[field] = complete ? '' : wrong[field][cause];
    report(field, { error: error ? messages[field] : '', isComplete: complete });
  };
  card.on('change', onChange('number'));
  expiry.on('change', onChange('expiry'));
  cvc.on('change', onChange('cvc'));
  const watchFocus = (field: CardField) => ({
    focus: () => report(field, { isFocused: true }),
    blur: () => report(field, { isFocused: false }),
  });
  const focus = {
    number: watchFocus('number'),
    expiry: watchFocus('expiry'),
    cvc: watchFocus('cvc'),
  };
  card.on('focus', focus.number.focus).on('blur', focus.number.blur);
  expiry.on('focus', focus.expiry.focus).on('blur', focus.expiry.blur);
  cvc.on('focus', focus.cvc.focus).on('blur', focus.cvc.blur);
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
