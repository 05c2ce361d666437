import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePhone } from '../../../worker/phone-lookup/parse-phone.ts';

test.each([
  ['national', '0151 23456789', 'DE'],
  ['with dashes', '0151-2345-6789', 'DE'],
  ['international', '+49 151 23456789', 'US'],
  ['with 00', '0049 151 23456789', 'US'],
  ['with 00 at home', '0049 151 23456789', 'DE'],
  ['with 011', '(011) 49 151 23456789', 'US'],
  ['with the optional zero', '+49 (0)151 23456789', 'US'],
  ['spaces around', '  +4915123456789 ', 'US'],
  ['in Arabic digits', '+٤٩١٥١٢٣٤٥٦٧٨٩', 'US'],
  ['lower-case country', '0151 23456789', 'de'],
])('parse phone: reads a number written %s', async (_how, text, country) => {
  expect(await parsePhone(text, country)).toEqual({
    number: '+49 1512 3456789',
    e164: '+4915123456789',
    country: 'DE',
    callingCode: '49',
    type: 'mobile',
  });
});

test('parse phone: several countries with one calling code are told apart', async () => {
  expect((await parsePhone('+1 416 555 0123', 'US'))?.country).toBe('CA');
  expect((await parsePhone('+44 7624 300000', 'GB'))?.country).toBe('IM');
});

test('parse phone: unknown fields are null', async () => {
  expect((await parsePhone('+1 201 555 0123', 'DE'))?.type).toBe('fixed_line_or_mobile');
  expect(await parsePhone('+800 1234 5678', 'US')).toMatchObject({
    country: null,
    callingCode: '800',
  });
});

test.each([
  ['', 'US'],
  ['12345', 'US'],
  ['call 0151 23456789', 'DE'],
  ['+49 151 23456789 ext. 5', 'DE'],
  ['0151 23456789', 'nowhere'],
  ['+999 123 456 789', 'US'],
  ['1-800-FLOWERS', 'US'],
  [`+49 151 ${' '.repeat(60)}23456789`, 'DE'],
])('parse phone: %j in %s is not a number', async (text, country) => {
  expect(await parsePhone(text, country)).toBeNull();
});

test('parse phone: no input crashes, and parsing the result again gives the same', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789+()- .'), maxLength: 30 });
  const country = fc.oneof(fc.constantFrom('US', 'DE', 'GB', 'BR', 'XX'), fc.string());
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), digits),
      country,
      async (text, code) => {
        const phone = await parsePhone(text, code);
        if (phone) expect(await parsePhone(phone.number, 'US')).toEqual(phone);
      },
    ),
  );
});
