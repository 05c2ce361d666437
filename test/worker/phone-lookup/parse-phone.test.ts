import { env } from 'cloudflare:test';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  type CountryCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { expect, test, vi } from 'vitest';
import { callingCodeOf, countriesIn } from '../../../islands/phone/countries.ts';
import { parsePhone as parse, parsePhones } from '../../../worker/phone-lookup/parse-phone.ts';

const parsePhone = (text: string, country: string) => parse(env, text, country, () => {});

test('parse phone: without its plan a number is neither valid nor invalid', async () => {
  const fetch = vi.fn(async () => new Response('', { status: 404 }));
  const log = vi.fn();
  const reading = parse({ ASSETS: { fetch } }, '+850 192 123 4567', 'US', log);
  await expect(reading).rejects.toMatchObject({ code: 'phone_lookup_failed' });
  expect(log.mock.calls).toEqual([
    ['error', 'lookup_data_missing', { dataset: 'plans', reason: 'RangeError' }],
  ]);
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

test('parse phone: a number of each country is read as with all numbering plans at once', async () => {
  for (const { code } of countriesIn('en')) {
    const example = getExampleNumber(code as CountryCode, examples);
    for (const text of [example?.number, example?.formatNational()]) {
      const phone = parsePhoneNumberFromString(text ?? '', code as CountryCode);
      expect(await parsePhone(text ?? '', code)).toEqual({
        number: phone?.formatInternational(),
        e164: phone?.number,
        country: phone?.country,
        callingCode: callingCodeOf(code),
        type: phone?.getType()?.toLowerCase() ?? null,
      });
    }
  }
});

test('parse phone: a text with several readings is refused', async () => {
  await expect(parsePhone('001 65 9234 5678', 'HK')).rejects.toMatchObject({
    code: 'phone_ambiguous',
  });
  expect((await parsePhone('0011 354 611 1234', 'AU'))?.country).toBe('IS');
});

test('parse phone: digits are read as with all numbering plans at once', async () => {
  const start = fc.constantFrom('+', '011', '0', '');
  const digits = fc.string({ unit: fc.constantFrom(...'123456789'), minLength: 6, maxLength: 13 });
  const country = fc.constantFrom<CountryCode>('US', 'DE', 'GB', 'IT', 'RU', 'JP', 'AU');
  await fc.assert(
    fc.asyncProperty(start, digits, country, async (before, rest, code) => {
      const text = before + rest;
      const phone = parsePhoneNumberFromString(text, { defaultCountry: code, extract: false });
      const first = (await parsePhones(env, text, code, () => {}))[0];
      const isFormer = /^\+(?:52|55|56|84|225|229)/.test(first?.e164 ?? '');
      if (!isFormer) expect(first?.e164).toBe(phone?.isValid() ? phone.number : undefined);
    }),
    { numRuns: env.SLOW ? 2000 : 200 },
  );
});
