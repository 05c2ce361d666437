import fc from 'fast-check';
import { PhoneNumberFormat } from 'google-libphonenumber';
import examples from 'libphonenumber-js/examples.mobile.json';
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { group } from '../../../islands/phone/number-groups.ts';
import { digitsOf } from '../../../islands/phone/phone-parse.ts';
import { numberGroups } from '../../../scripts/build/number-groups.ts';
import { examplesOf, google } from './google-number.ts';

const groups = numberGroups();
const countries = Object.keys(groups);

it.each([
  ['US', '2', '(2'],
  ['US', '212', '(212'],
  ['US', '2125', '(212) 5'],
  ['US', '2125550100', '(212) 555-0100'],
  ['US', '12125550100', '1 (212) 555-0100'],
  ['US', '3105550', '310-5550'],
  ['GB', '02079460958', '020 7946 0958'],
  ['GB', '2079460958', '20 7946 0958'],
  ['DE', '03012345678', '030 12345678'],
  ['DE', '15123456789', '1512 3456789'],
  ['FR', '0612345678', '06 12 34 56 78'],
  ['BR', '11912345678', '(11) 91234-5678'],
  ['IT', '0612345678', '06 1234 5678'],
  ['JP', '09012345678', '090-1234-5678'],
  ['AE', '0501234567', '050 123 4567'],
  ['IN', '81234', '81234'],
  ['IN', '8123456789', '81234 56789'],
  ['IN', '08123456789', '081234 56789'],
  ['IN', '01123456789', '011 2345 6789'],
  ['AU', '0212345678', '(02) 1234 5678'],
  ['AU', '212345678', '2 1234 5678'],
  ['RU', '89123456789', '8 (912) 345-67-89'],
  ['RU', '9123456789', '912 345-67-89'],
  ['TR', '02123456789', '(0212) 345 67 89'],
  // libphonenumber would add a 15 that was not typed.
  ['AR', '9000', '9000'],
])('number groups: %s writes %s as %s', (country, typed, text) => {
  expect(group(typed, groups[country] ?? '')).toBe(text);
});

it('number groups: a mobile number of most countries has libphonenumber’s format', () => {
  const written = (Object.keys(examples) as CountryCode[]).flatMap((country) => {
    const text = getExampleNumber(country, examples)?.formatNational();
    return text ? [[country, text, group(digitsOf(text), groups[country] ?? '')] as const] : [];
  });
  const other = written.filter(([, text, grouped]) => text !== grouped);
  expect(written.length).toBeGreaterThan(200);
  expect(other.length / written.length).toBeLessThan(0.1);
});

it('number groups: Google’s examples of every kind of number are grouped as Google does', () => {
  const written = countries.flatMap((country) =>
    examplesOf(country).map((example) => {
      const text = google.format(example, PhoneNumberFormat.NATIONAL);
      return [country, text, group(digitsOf(text), groups[country] ?? '')] as const;
    }),
  );
  const other = written.filter(([, text, grouped]) => text !== grouped);
  expect(written.length).toBeGreaterThan(1200);
  // Groups whose length depends on later digits, and added digits, are left out.
  expect(other.length / written.length).toBeLessThan(0.025);
  const inexact = new Set(other.map(([country]) => country));
  const exact = [
    'US',
    'GB',
    'FR',
    'JP',
    'MX',
    'IT',
    'ES',
    'PL',
    'NL',
    'UA',
    'RU',
    'AU',
    'PK',
    'BD',
  ];
  expect(exact.filter((country) => inexact.has(country))).toEqual([]);
});

it('number groups: no digit is lost or moved, also when typed again', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 17 });
  fc.assert(
    fc.property(fc.constantFrom(...countries), typed, (country, digits) => {
      const text = group(digits, groups[country] ?? '');
      expect(digitsOf(text)).toBe(digits);
      expect(group(text, groups[country] ?? '')).toBe(text);
    }),
  );
});

it('number groups: texts with a plus, and texts without groups, are unchanged', () => {
  expect(group('+44 20', groups.GB ?? '')).toBe('+44 20');
  expect(group('20-7946', '')).toBe('20-7946');
});

it('number groups: the patterns are short, and need no escaping in a page', () => {
  for (const text of Object.values(groups)) {
    expect(text.length).toBeLessThan(1200);
    expect(text).not.toMatch(/["'\\<>&]/);
  }
});
