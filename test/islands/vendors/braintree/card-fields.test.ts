import { expect, it } from 'vitest';
import { refusal } from '../../../../islands/vendors/braintree/card-fields.ts';
import { ConnectionError } from '../../../../islands/vendors/payment-provider.ts';

const wrong = { number: 'Number?', expiry: 'Expiry?', cvc: 'Code?' };
const invalid = (...invalidFieldKeys: string[]) => ({
  code: 'HOSTED_FIELDS_FIELDS_INVALID',
  details: { invalidFieldKeys },
});

it.each([
  [{ code: 'HOSTED_FIELDS_FIELDS_EMPTY' }, wrong],
  [{ code: 'HOSTED_FIELDS_FAILED_TOKENIZATION' }, { number: wrong.number }],
  [invalid('cvv', 'expirationDate'), { expiry: wrong.expiry, cvc: wrong.cvc }],
  [invalid('cvv'), { cvc: wrong.cvc }],
] as const)('braintree card fields: %j is shown beside each of its fields', (error, errors) => {
  const [message] = Object.values(errors);
  expect(refusal(error, wrong)).toMatchObject({ errors, message });
});

it('braintree card fields: a lost connection is distinguished from a wrong card', () => {
  const lost = { code: 'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR' };
  expect(refusal(lost, wrong)).toBeInstanceOf(ConnectionError);
});

it.each([[new Error('x')], [undefined]])(
  'braintree card fields: %j concerns no field and is rethrown',
  (error) => {
    expect(refusal(error, wrong)).toBe(error);
  },
);
