export type CardField = 'number' | 'expiry' | 'cvc';

interface FieldError {
  type: 'validation_error';
  code: string;
  message: string;
}

/** Everything that a field discloses about its value. An error means that no further digit can correct it. */
export interface FieldValue {
  empty: boolean;
  complete: boolean;
  brand?: string;
  error?: FieldError;
}

/** The mod-10 check of a card number. */
export function luhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return /^\d{12,19}$/.test(number) && sum % 10 === 0;
}

const brands: [string, RegExp][] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|2[2-7])/],
  ['amex', /^3[47]/],
];

/** The only brand possible with these first digits. */
const brandOf = (digits: string): string =>
  brands.find(([, start]) => start.test(digits))?.[0] ?? 'unknown';

const lengthOf = (brand: string) => (brand === 'amex' ? 15 : 16);
const digitsOf = (text: string) => text.replace(/\D/g, '');

const error = (code: string, message: string): FieldError => ({
  type: 'validation_error',
  code,
  message,
});

function validateNumber(digits: string): FieldValue {
  const brand = brandOf(digits);
  const full = digits.length >= lengthOf(brand);
  const value = { empty: digits === '', complete: full && luhn(digits), brand };
  if (!full || value.complete) return value;
  return { ...value, error: error('invalid_number', 'Your card number is invalid.') };
}

/** Month and year of `MM / YY`; zeros where missing. */
export function expiryOf(text: string): { month: number; year: number } {
  const digits = digitsOf(text);
  const year = digits.length === 4 ? 2000 + Number(digits.slice(2)) : 0;
  return { month: Number(digits.slice(0, 2)), year };
}

function validateExpiry(digits: string): FieldValue {
  const { month, year } = expiryOf(digits);
  const value = { empty: digits === '', complete: false };
  if (month > 12) {
    const wrong = error('invalid_expiry_month', "Your card's expiration month is invalid.");
    return { ...value, error: wrong };
  }
  if (year === 0 || month === 0) return value;
  if (new Date(year, month) > new Date()) return { ...value, complete: true };
  const past = "Your card's expiration date is in the past.";
  return { ...value, error: error('invalid_expiry_year_past', past) };
}

/** Validates a value while it is being typed. */
export function judge(field: CardField, text: string): FieldValue {
  const digits = digitsOf(text);
  if (field === 'number') return validateNumber(digits);
  if (field === 'expiry') return validateExpiry(digits);
  return { empty: digits === '', complete: digits.length >= 3 };
}

const incomplete: Record<CardField, FieldError> = {
  number: error('incomplete_number', 'Your card number is incomplete.'),
  expiry: error('incomplete_expiry', "Your card's expiration date is incomplete."),
  cvc: error('incomplete_cvc', "Your card's security code is incomplete."),
};

/** The error of a value after the field was left. */
export const finalError = (field: CardField, value: FieldValue): FieldError | undefined =>
  value.error ?? (value.complete ? undefined : incomplete[field]);

/** 4-4-4-4 (4-6-5 for American Express), `MM / YY`, or the bare code. */
export function format(field: CardField, text: string, deleting = false): string {
  const digits = digitsOf(text);
  if (field === 'cvc') return digits.slice(0, 4);
  if (field === 'number') {
    const brand = brandOf(digits);
    const groups =
      brand === 'amex'
        ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/
        : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?/;
    const parts = groups.exec(digits.slice(0, lengthOf(brand))) ?? [];
    return parts.slice(1).filter(Boolean).join(' ');
  }
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const [month, year] = [padded.slice(0, 2), padded.slice(2).slice(-2)];
  return year || (month.length === 2 && !deleting) ? `${month} / ${year}` : month;
}
