import { expect, test } from 'vitest';
import { type Country, countryOf } from '../../../worker/visitor/country-facts.ts';

const germany: Country = {
  code: 'DE',
  name: 'Germany',
  callingCode: '49',
  exampleNumber: '01512 3456789',
};

test.each([
  ['DE', 'en', germany],
  [
    'US',
    'en',
    { code: 'US', name: 'United States', callingCode: '1', exampleNumber: '(201) 555-0123' },
  ],
  ['DE', 'fr', { ...germany, name: 'Allemagne' }],
])('country facts: %s in %s', (...[asked, language, country]) => {
  expect(countryOf(asked, language)).toEqual(country);
});

test.each(['T1', 'XX', 'AQ', '', '__proto__', 'toString'])(
  'country facts: %j, without phone numbers, becomes the United States',
  (asked) => expect(countryOf(asked, 'en').code).toBe('US'),
);
