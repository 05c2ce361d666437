import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js';
import examples from 'libphonenumber-js/examples.mobile.json';
import { expect, test } from 'vitest';
import {
  containsPersonalData,
  isIdentifier,
} from '../../../../worker/http/rules/personal-data-detector.ts';

const encoded = (text: string, times: number) =>
  Array.from({ length: times }).reduce<string>((all) => encodeURIComponent(all), text);

test.each([
  'ada@example.com',
  'for ada@example.com',
  'ada＠example.com',
  '+4915112345678',
  '+49 151 123-456-78',
  '+1 (212) 555-0100',
  'call +12125550100 now',
  ' 4915112345678',
  '004915112345678',
  '015112345678',
  '(212) 555-0100',
  '212-555-0100',
  '212.555.0100',
  '212 555 0100',
  '0151/123 456 78',
  'to-212-555-0100',
  '0151 12345678',
  '555-01-00',
  '1a2b3c4d-1234-4567-8901-abcdefabcdef 212-555-0100',
  '+4915112-1234-4567-8901-abcdefabcdef',
])('personal data: %j is detected, however it is encoded', (text) => {
  for (const times of [0, 1, 2, 3, 4, 5])
    expect(containsPersonalData(encoded(text, times))).toBe(true);
  expect(containsPersonalData(text.replaceAll('@', '%40').replaceAll('+', '%2b'))).toBe(true);
});

test.each([
  '1234567',
  '2125550100',
  '23851234567890123456',
  '120210334455667_998877',
  'summer 23851234567890',
  'spring_sale|US|2026-11-21',
  '21.11.2026 - 28.11.2026',
  '21.11.26',
  '2025-2026',
  '300x250',
  '1080-1920',
  '18-65+',
  'v1.2.3',
  '100% free',
  'Spring%20Sale',
  'fb.1.1596403881668.1116446470',
  '1234567890.1600000000',
  '1613130000000-4523451',
  '1a2b3c4d-1234-4567-8901-abcdefabcdef',
  'a1b2c3d4-e5f6-4a5b-8c7d-012345678901',
  '1A2B3C4D-1234-4567-8901-ABCDEFABCDEF-p',
  'IwAR2x-0AbC_1234567890~',
  '',
])('personal data: %j is not personal', (text) => expect(containsPersonalData(text)).toBe(false));

test('personal data: ad ids of any digits are allowed, phone numbers with a plus are not', () => {
  const id = fc.stringMatching(/^[1-9]\d{6,19}$/);
  fc.assert(fc.property(id, (digits) => !containsPersonalData(digits)));
  const number = fc.stringMatching(/^\+[1-9](?:[ -]?\d){7,13}$/);
  fc.assert(fc.property(number, (written) => containsPersonalData(written)));
});

test.each([
  'ada@example.com',
  'ada%40example.com',
  '4915123456789',
  '+4915123456789',
  '4242424242424242',
  '{"correlation_id":"4915123456789"}',
])('isIdentifier: %s may be personal data', (text) => expect(isIdentifier(text)).toBe(false));

test.each([
  'pm_1Nv0FGQ9RKHgCVdK',
  'fb.1.1700000000000.123456789',
  '1234567890.1700000000',
  '1700000000000-0.4815',
  '{"correlation_id":"0f1e2d3c4b5a69788796a5b4c3d2e1f0"}',
])('isIdentifier: %s is an id', (text) => expect(isIdentifier(text)).toBe(true));

test.each([
  ['12 34 56', false],
  ['12 34 567', true],
  ['2151 1234', false],
  ['2151 12345', true],
  ['1234 5678 9012 345', true],
  ['1234 5678 9012 3456', false],
])('personal data: the groups %j are a phone number: %s', (text, is) => {
  expect(containsPersonalData(text)).toBe(is);
});

const campaigns = [
  ['days', 'BF 24-11 - 01-12|24.11.-01.12.|24/11-01/12|24-11-01-12|BF_24-11_01-12|11-24 12-01'],
  ['days of a month', '24.-30.11.2026|24-30.11|24–27.11.2026|10.00-18.00 24.11'],
  ['dates', '24/11/26-01/12/26|11/24/2026 - 12/01/2026|2026-11-24-2026-12-01|24.11.26 – 01.12.26'],
  ['dates with spaces', '2026 11 24|24 11 2026 - 01 12 2026|24-11-2026-01|20261124-20261201'],
  ['weeks', 'W47-48-49-50|KW 47 48 49 50|2026-47-48|2026_W47'],
  ['years', '2024-2025-2026|2025 2026 2027'],
  ['ages', '18-24 25-34 35-44|18-24-25-34-35-44|M18-24 25-34 2026'],
  ['sizes', '1080-1920 1200-628|300-250-728-90|300 250 160 600|1080 1080 1920|320-50 300-50'],
  ['budgets', '100-200-300|bid 10-20-30-40|CPA 12-15 20-25|30-60-90-180|ROAS 2.5-3.0 4.0-5.0'],
  ['prices', '9.99-39.99 59.99|39.99/59.99/119.99|1999 2999 3999|10.30-18.45 20.00-22.00'],
  ['numbering', '001-002-003|0001-0002-0003|1001-1002-1003|10115-10119|90001 90089'],
  ['several', '24-11 1920|300-250 24-11 18-24|BF 24-11 - 01-12 18-24 300-250|Q4 2026 24-11'],
] as const;
test.each(campaigns)('personal data: %s in a campaign’s name are not a phone number', (_, names) =>
  expect(names.split('|').filter(containsPersonalData)).toEqual([]),
);

const numbers = [
  ['North America', '1-212-555-0199|1-212 555-0100|212-555-2026|promo_212-555-0100_x'],
  ['France', '06 12 34 56 78|06.12.34.56.78|06-12-34-56-78|01-12-24-11-25'],
  ['Denmark', '20 12 34 56|24 11 01 12|70.01.23.45'],
  ['India', '98765 43210|98765-43210|91-22 1234 5678'],
  ['Great Britain', '07911 123456|020 7946 0958|44-20 7946 0958'],
  ['Russia and Ukraine', '8 (912) 345-67-89|(495) 123-45-67|067 123 45-67'],
  ['Brazil and Mexico', '(11) 91234-5678|52-55 1234 5678'],
  ['Japan and Korea', '03-1234-5678|０９０－１２３４－５６７８|010-1234-5678'],
  [
    'other digits, dashes and invisible characters',
    '٠١٥١ ١٢٣٤٥٦٧٨|0151‑1234‑5678|212\u200b555-0100',
  ],
  [
    'a campaign’s name',
    'BF 24-11 - 01-12 212-555-0100|24-11 212 555 0100|06 12 34 56 78 18-24 2026',
  ],
] as const;
test.each(numbers)('personal data: a phone number is detected, as written in %s', (_, written) => {
  expect(written.split('|').filter((one) => !containsPersonalData(one))).toEqual([]);
});

test('personal data: a phone number is detected in digits that directly follow those of another script', () => {
  const karen = '015112345678'.replace(/\d/g, (digit) =>
    String.fromCodePoint(0x116da + Number(digit)),
  );
  expect(containsPersonalData(karen)).toBe(true);
});

const national = getCountries()
  .flatMap((country) => getExampleNumber(country, examples)?.formatNational() ?? [])
  // Shorter numbers cannot be told from two sizes or ids.
  .filter(
    (number) => (number.match(/\d+/g) ?? []).length > 2 && number.replace(/\D/g, '').length > 7,
  );
test('personal data: every country’s way to write a number is detected, alone and in a name', () => {
  expect(national.length).toBeGreaterThan(150);
  const written = national.flatMap((number) => [
    number,
    number.replace(/[ ()]+/g, '-').replace(/^-|-$/g, ''),
    number.replace(/[ ()-]+/g, '.').replace(/^\.|\.$/g, ''),
    `call_${number}_x`,
    `${number} 18-24 2026`,
    `24-11 ${number}`,
  ]);
  expect(written.filter((one) => !containsPersonalData(one))).toEqual([]);
});
