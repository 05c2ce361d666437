import { expect, it } from 'vitest';
import { fieldOf } from '../../../../islands/vendors/stripe/card-fields.ts';

it.each([
  ['incomplete_number', 'number'],
  ['invalid_number', 'number'],
  ['incomplete_expiry', 'expiry'],
  ['invalid_expiry_year_past', 'expiry'],
  ['expired_card', 'expiry'],
  ['incorrect_cvc', 'cvc'],
  ['card_declined', null],
  [undefined, null],
])('stripe card fields: %s is shown beside %s', (code, field) => {
  expect(fieldOf(code)).toBe(field);
});
