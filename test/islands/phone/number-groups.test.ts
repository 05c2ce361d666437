import fc from 'fast-check';
import { PhoneNumberFormat, PhoneNumberType } from 'google-libphonenumber';
import type { PhoneNumber } from 'libphonenumber-js/core';
import { expect, it } from 'vitest';
import { group } from '../../../islands/phone/number-groups.ts';
import { rulesIn } from '../../../islands/phone/phone-format.ts';
import { digitsOf } from '../../../locales/format/plain-text.ts';
import { numberGroups } from '../../../scripts/build/number-groups.ts';
import { numberingSlices } from '../../../scripts/build/places/numbering-data.ts';
import { examplesOf, google } from './google-number.ts';
import { validNumbers } from './valid-numbers.ts';

const groups = numberGroups();
const countries = Object.keys(groups);

const slices = new Map(
  [...numberingSlices()].map(([calling, json]) => [calling, rulesIn(JSON.parse(json))] as const),
);
const rulesOf = (calling: string) => {
  const rules = slices.get(calling);
  if (!rules) throw new RangeError(calling);
  return rules;
};

const typeName = (type: number) =>
  Object.entries(PhoneNumberType).find(([, value]) => value === type)?.[0] ?? '';

/** Google's example numbers: country, national format, type. */
function examplesInNationalFormat(): (readonly [string, string, string])[] {
  return countries.flatMap((country) =>
    examplesOf(country).map((example) => {
      const text = google.format(example, PhoneNumberFormat.NATIONAL);
      return [country, text, typeName(google.getNumberType(example))] as const;
    }),
  );
}

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
  ['SE', '08123456', '08-12 34 56'],
  ['SE', '0812345678', '08-123 456 78'],
  ['KR', '022123456', '02-212-3456'],
  ['KR', '0221234567', '02-2123-4567'],
  ['ID', '0812345678', '0812-345-678'],
  ['CL', '221234567', '(2) 2123 4567'],
  ['BY', '80152450911', '8 0152 45-09-11'],
  ['BY', '8152450911', '8 152 45-09-11'],
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

/** What differs from libphonenumber's national format before a page has the rules, with the reason. */
const inexact = {
  AR: 'a 15 after the area, instead of the 9 before it',
  GA: 'a national prefix that stays in the number',
  RW: 'a national prefix that stays in the number',
  DE: 'no format applies to numbers that are so short',
  LU: 'no format applies to numbers that are so short',
  VU: 'no format applies to numbers that are so short',
};

const written = examplesInNationalFormat();
const groupedText = (phone: PhoneNumber) =>
  group(digitsOf(phone.formatNational()), groups[String(phone.country)] ?? '');
const grouped = ([country, text]: readonly [string, string]) =>
  group(digitsOf(text), groups[country] ?? '');

it('number groups: Google’s examples of mobile and fixed numbers are grouped as Google does', () => {
  const usual = /MOBILE|FIXED_LINE/;
  const all = written.filter(([, , type]) => usual.test(type));
  const other = all.filter(([country, text]) => grouped([country, text]) !== text);
  expect(all.length).toBeGreaterThan(600);
  // A complete number of Argentina waits for the rules, which read its 15.
  expect(other.map(([country, , type]) => `${country} ${type}`)).toEqual(['AR MOBILE']);
});

it('number groups: Google’s examples of other kinds are grouped as Google does, but for short numbers', () => {
  const other = written.filter(([country, text]) => grouped([country, text]) !== text);
  expect(written.length).toBeGreaterThan(1200);
  expect(other.map(([country, , type]) => `${country} ${type}`).sort()).toEqual([
    'AR MOBILE',
    'CN PREMIUM_RATE',
    'DE PAGER',
    'HN TOLL_FREE',
    'NP TOLL_FREE',
    'SK PAGER',
    'TR UAN',
    'VN UAN',
    'VU TOLL_FREE',
  ]);
});

const numbers = validNumbers(1);

it('number groups: valid mobile and fixed numbers are grouped as libphonenumber does, but for six countries', () => {
  const usual = numbers.filter((phone) => /MOBILE|FIXED/.test(phone.getType() ?? ''));
  expect(usual.length).toBeGreaterThan(300);
  const other = usual.filter((phone) => groupedText(phone) !== phone.formatNational());
  const known = Object.keys(inexact);
  expect(other.filter(({ country }) => !known.includes(String(country)))).toEqual([]);
});

it('number groups: with the rules every complete number is written as libphonenumber does', () => {
  for (const phone of numbers) {
    const rules = rulesOf(phone.countryCallingCode);
    const national = phone.formatNational();
    const shown = rules.whole(digitsOf(national), String(phone.country)) ?? groupedText(phone);
    expect([shown, rules.format(phone.number)]).toEqual([national, phone.formatInternational()]);
  }
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
