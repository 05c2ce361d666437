import { expect, it } from 'vitest';
import { refusal } from '../../../../islands/vendors/braintree/card-fields.ts';

const wrong = { number: 'Number?', expiry: 'Expiry?', cvc: 'Code?' };
const invalid = (...invalidFieldKeys: string[]) => ({
  code: 'HOSTED_FIELDS_FIELDS_INVALID',
  details: { invalidFieldKeys },
});

it.each([
  [{ code: 'HOSTED_FIELDS_FIELDS_EMPTY' }, 'number'],
  [{ code: 'HOSTED_FIELDS_FAILED_TOKENIZATION' }, 'number'],
  [invalid('cvv', 'expirationDate'), 'expiry'],
  [invalid('cvv'), 'cvc'],
] as const)('braintree card fields: %j is shown beside %s', (error, field) => {
  expect(refusal(error, wrong)).toMatchObject({ field, message: wrong[field] });
});

it.each([[{ code: 'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR' }], [new Error('x')], [undefined]])(
  'braintree card fields: %j concerns no field and is rethrown',
  (error) => {
    expect(refusal(error, wrong)).toBe(error);
  },
);
