import { luhn } from '../cards.ts';
import type { FieldError, FieldType, FieldValue } from './messages.ts';

const BRANDS: [string, RegExp][] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|2[2-7])/],
  ['amex', /^3[47]/],
  ['discover', /^6(011|5|4[4-9])/],
  ['diners', /^3(0[0-5]|[68])/],
  ['jcb', /^35/],
  ['unionpay', /^62/],
];

/** The brand that these first digits can only be. */
const brandOf = (digits: string): string =>
  BRANDS.find(([, start]) => start.test(digits))?.[0] ?? 'unknown';

const lengthOf = (brand: string) => (brand === 'amex' ? 15 : 16);
const digitsOf = (text: string) => text.replace(/\D/g, '');

const error = (code: string, message: string): FieldError => ({
  type: 'validation_error',
  code,
  message,
});

function number(digits: string): FieldValue {
  const brand = brandOf(digits);
  const full = digits.length >= lengthOf(brand);
  const wrong = full && !luhn(digits);
  return {
    empty: digits === '',
    complete: full && !wrong,
    brand,
    ...(wrong ? { error: error('invalid_number', 'Your card number is invalid.') } : {}),
  };
}

/** Month and year of `MM / YY`; zeros where there is nothing yet. */
export function expiryOf(text: string): { month: number; year: number } {
  const digits = digitsOf(text);
  const year = Number(digits.slice(2, 4));
  return { month: Number(digits.slice(0, 2)), year: digits.length === 4 ? 2000 + year : 0 };
}

function expiry(digits: string, today: Date): FieldValue {
  const { month, year } = expiryOf(digits);
  const full = digits.length === 4 && month > 0;
  const thisYear = today.getFullYear();
  const wrong = !full
    ? undefined
    : year < thisYear
      ? error('invalid_expiry_year_past', "Your card's expiration year is in the past.")
      : year === thisYear && month < today.getMonth() + 1
        ? error('invalid_expiry_month_past', "Your card's expiration date is in the past.")
        : year > thisYear + 50
          ? error('invalid_expiry_year', "Your card's expiration year is invalid.")
          : undefined;
  return { empty: digits === '', complete: full && !wrong, ...(wrong ? { error: wrong } : {}) };
}

function cvc(digits: string, brand: string): FieldValue {
  const wanted = brand === 'amex' ? 4 : 3;
  const complete = brand === 'unknown' ? digits.length >= 3 : digits.length === wanted;
  return { empty: digits === '', complete };
}

/** The error of an incomplete value while it is being typed. */
export function judge(
  type: FieldType,
  text: string,
  brand: string,
  today = new Date(),
): FieldValue {
  const digits = digitsOf(text);
  if (type === 'cardNumber') return number(digits);
  return type === 'cardExpiry' ? expiry(digits, today) : cvc(digits, brand);
}

const INCOMPLETE: Record<FieldType, FieldError> = {
  cardNumber: error('incomplete_number', 'Your card number is incomplete.'),
  cardExpiry: error('incomplete_expiry', "Your card's expiration date is incomplete."),
  cardCvc: error('incomplete_cvc', "Your card's security code is incomplete."),
};

/** The error of a value once the visitor is done with it. */
export const finalError = (type: FieldType, value: FieldValue): FieldError | undefined =>
  value.error ?? (value.complete ? undefined : INCOMPLETE[type]);

/** 4-4-4-4 (4-6-5 for American Express), `MM / YY`, or the bare code. */
export function format(type: FieldType, text: string, brand: string, deleting = false): string {
  const digits = digitsOf(text);
  if (type === 'cardCvc') return digits.slice(0, brand === 'amex' || brand === 'unknown' ? 4 : 3);
  if (type === 'cardNumber') {
    const own = brandOf(digits);
    const kept = digits.slice(0, lengthOf(own));
    const groups = own === 'amex' ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /\d{1,4}/g;
    const parts = own === 'amex' ? (groups.exec(kept) ?? []).slice(1) : (kept.match(groups) ?? []);
    return parts.filter(Boolean).join(' ');
  }
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const [month, year] = [padded.slice(0, 2), padded.slice(2, 4)];
  if (Number(month) > 12) return format(type, `0${padded}`, brand);
  return year || (month.length === 2 && !deleting) ? `${month} / ${year}` : month;
}
