import { expect, it } from 'vitest';
import { plainText } from '../../locales/format/plain-text.ts';
import { typedCode, typedEmail } from '../../locales/format/typed-code.ts';

it.each([
  ['\u202a+49\u2011151\u202c', '+49-151'],
  ['\u2066090\u2069－１２３４', '090-1234'],
  ['\u061c٠١٢\u00ad٣ ۴۵ ०१', '0123 45 01'],
  ['\ufeff1\u2212\u20132\u200b', '1--2'],
])('plain text: %j is %s', (text, plain) => {
  expect(plainText(text)).toBe(plain);
});

it.each([
  ['SAVE10.', 'SAVE10'],
  [' “save 10”, ', 'save10'],
  ['ＳＡＶＥ１０', 'SAVE10'],
  ['BF\u201124', 'BF-24'],
  ['*SAVE10*', 'SAVE10'],
  ['_A_', '_A_'],
  ['۱۲۳ ۴۵۶', '123456'],
])('typed code: %j is %s', (text, code) => {
  expect(typedCode(text)).toBe(code);
});

it.each([
  ['anna@example.com.', 'anna@example.com'],
  [' Anna <anna@example.com>, ', 'anna@example.com'],
  ['mailto:anna@example.com', 'anna@example.com'],
  ['mailto:anna@example.com?subject=Hi', 'anna@example.com'],
  ['“anna@example.com”', 'anna@example.com'],
  ['anna@example.com\ufe0f', 'anna@example.com'],
  ['anna@example。com', 'anna@example.com'],
  ['\u202aanna@my\u2011firm.com\u202c', 'anna@my-firm.com'],
  ['anna @example.com', 'anna@example.com'],
  ['"anna@example.com"', 'anna@example.com'],
  ['ａｎｎａ＠example.com', 'anna@example.com'],
  ["o'neil+x@example.com", "o'neil+x@example.com"],
  ['anna b@example.com', 'anna b@example.com'],
  ['a@example.com, b@example.com', 'a@example.com, b@example.com'],
])('typed e-mail: %j is %s', (text, email) => {
  expect(typedEmail(text)).toBe(email);
});
