import { expect, it } from 'vitest';
import { refusal } from '../../../../islands/vendors/braintree/card-fields.ts';
import { ConnectionError } from '../../../../islands/vendors/payment-provider.ts';

const wrong = {
  number: { empty: 'Number?', incomplete: 'Number…', invalid: 'Number!' },
  expiry: { empty: 'Expiry?', incomplete: 'Expiry…', invalid: 'Expiry!' },
  cvc: { empty: 'Code?', incomplete: 'Code…', invalid: 'Code!' },
};
const invalid = (...invalidFieldKeys: string[]) => ({
  code: 'HOSTED_FIELDS_FIELDS_INVALID',
  details: { invalidFieldKeys },
});
const [empty, started, impossible] = [
  { isEmpty: true, isPotentiallyValid: true },
  { isEmpty: false, isPotentiallyValid: true },
  { isEmpty: false, isPotentiallyValid: false },
];

it.each([
  [
    { code: 'HOSTED_FIELDS_FIELDS_EMPTY' },
    {},
    { number: 'Number?', expiry: 'Expiry?', cvc: 'Code?' },
  ],
  [{ code: 'HOSTED_FIELDS_FAILED_TOKENIZATION' }, {}, { number: 'Number!' }],
  [
    invalid('cvv', 'expirationDate'),
    { cvv: started, expirationDate: impossible },
    { expiry: 'Expiry!', cvc: 'Code…' },
  ],
  [invalid('cvv'), { cvv: empty }, { cvc: 'Code?' }],
] as const)(
  'braintree card fields: %j is shown at each of its fields, by cause',
  (error, states, errors) => {
    const [message] = Object.values(errors);
    expect(refusal(error, wrong, states)).toMatchObject({ errors, message });
  },
);

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
