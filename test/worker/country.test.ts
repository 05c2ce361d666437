import { expect, test } from 'vitest';
import { type Country, countryOf } from '../../worker/country.ts';

const germany: Country = { code: 'DE', name: 'Germany', calling: '49' };

test.each([
  ['DE', 'en', germany],
  ['US', 'en', { code: 'US', name: 'United States', calling: '1' }],
  ['DE', 'fr', { code: 'DE', name: 'Allemagne', calling: '49' }],
])('%s in %s', (...[asked, language, country]) => {
  expect(countryOf(asked, language)).toEqual(country);
});

test.each(['T1', 'XX', 'AQ', '', '__proto__', 'toString'])(
  '%j, which has no numbers, is taken for the United States',
  (asked) => expect(countryOf(asked, 'en').code).toBe('US'),
);
