import fc from 'fast-check';
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
  for (const times of [0, 1, 2, 3, 4, 5]) {
    expect(containsPersonalData(encoded(text, times))).toBe(true);
  }
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
