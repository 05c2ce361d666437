/** Countries that get an SMS in the tests of kinds. */
export const textedCountries = JSON.stringify({
  DE: { cents: 8 },
  US: { cents: 1 },
  GB: { cents: 5 },
});

/** Every kind of number: one of them, its line, and why it gets no SMS. An invalid one has no line. */
export const phoneKinds = [
  ['mobile', '+49 1512 3456789', 'mobile', null],
  ['mobile or landline', '+1 212 555 0100', 'unknown', null],
  ['landline', '+49 30 12345678', 'landline', 'number_not_mobile'],
  ['premium', '+49 900 1234567', 'landline', 'number_not_mobile'],
  ['toll-free', '+49 800 1234567', 'landline', 'number_not_mobile'],
  ['shared cost', '+49 1801 123456', 'landline', 'number_not_mobile'],
  ['personal', '+49 700 12345678', 'landline', 'number_not_mobile'],
  ['company', '+49 18500 123456', 'landline', 'number_not_mobile'],
  ['pager', '+49 16412345', 'landline', 'number_not_mobile'],
  ['voice over IP', '+44 56 1234 5678', 'landline', 'number_not_mobile'],
  ['a country without SMS', '+84 77 234 5678', 'mobile', 'country_not_supported'],
  ['a service of no country', '+800 1234 5678', 'landline', 'country_not_supported'],
  ['invalid', '+49 12', null, 'phone_incorrect'],
] as const;
