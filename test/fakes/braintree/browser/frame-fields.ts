export type FieldName = 'number' | 'expirationDate' | 'cvv';

/** How braintree-web hears of a field. */
export interface FieldState {
  isEmpty: boolean;
  isValid: boolean;
  isPotentiallyValid: boolean;
  isFocused: boolean;
}

export const attributes: Record<FieldName, { name: string; autocomplete: string; label: string }> =
  {
    number: { name: 'credit-card-number', autocomplete: 'cc-number', label: 'Credit Card Number' },
    expirationDate: { name: 'expiration', autocomplete: 'cc-exp', label: 'Expiration Date' },
    cvv: { name: 'cvv', autocomplete: 'cc-csc', label: 'CVV' },
  };

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** What was typed, grouped as on a card. */
export function format(field: FieldName, text: string): string {
  const digits = digitsOf(text);
  if (field === 'cvv') return digits.slice(0, 4);
  if (field === 'number') return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 ');
  const four = digits.length > 4 ? `${digits.slice(0, 2)}${digits.slice(-2)}` : digits;
  return four.length > 2 ? `${four.slice(0, 2)} / ${four.slice(2)}` : four;
}

function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const twice = i % 2 ? Number(digit) * 2 : Number(digit);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return sum % 10 === 0;
}

function judge(field: FieldName, text: string): [valid: boolean, possible: boolean] {
  const digits = digitsOf(text);
  if (field === 'cvv') return [digits.length >= 3, true];
  if (field === 'number') {
    const whole = digits.length >= 15;
    return [whole && luhn(digits), !whole || luhn(digits)];
  }
  const month = Number(digits.slice(0, 2));
  const end = new Date(2000 + Number(digits.slice(2)), month);
  const good = digits.length === 4 && month >= 1 && month <= 12 && end > new Date();
  return [good, digits.length < 4 || good];
}

export function stateOf(field: FieldName, input: HTMLInputElement): FieldState {
  const [isValid, possible] = judge(field, input.value);
  return {
    isEmpty: input.value === '',
    isValid,
    isPotentiallyValid: possible,
    isFocused: input.ownerDocument.activeElement === input && input.ownerDocument.hasFocus(),
  };
}
