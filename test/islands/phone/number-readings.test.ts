import { PhoneNumberFormat as Format } from 'google-libphonenumber';
import { describe, expect, it } from 'vitest';
import {
  callPrefixes,
  examplesOf,
  google,
  googleReading,
  readings,
  regions,
} from './google-number.ts';

describe('number readings', () => {
  it.each([
    ['own call prefix and 00 before 1', '001 65 9234 5678', 'HK', '+6592345678 +16592345678'],
    ['own call prefix', '0011 354 611 1234', 'AU', '+3546111234'],
    ['a prefix that is longer by one digit', '00 93 23 456 7890', 'HK', '+3234567890 +93234567890'],
    ['010 of Japan', '010 44 20 7946 0958', 'JP', '+442079460958'],
    ['8~10 of Russia', '8~10 44 20 7946 0958', 'RU', '+442079460958'],
    ['a carrier’s call prefix', '00 21 44 20 7946 0958', 'BR', '+442079460958'],
    ['00 where it is no call prefix', '0049 151 23456789', 'US', '+4915123456789'],
    ['the calling code without a plus', '49 151 23456789', 'DE', '+494915123456789 +4915123456789'],
    ['another calling code without a plus', '49 151 23456789', 'US', ''],
    ['a carrier code', '0 15 11 98765-4321', 'BR', '+5511987654321'],
    ['any carrier', '0xx11 98765-4321', 'BR', '+5511987654321'],
    ['a mobile number of Argentina', '011 15 2345-6789', 'AR', '+5491123456789'],
    ['a national number with a plus', '+0151 23456789', 'DE', ''],
    ['a national number with a plus', '+02033 12 3456', 'NG', ''],
    ['a number of no area of Brazil', '067 212 3456', 'BR', ''],
    ['any carrier, of no area', '0xx04 97951-9162', 'BR', ''],
    ['no number', 'call me', 'US', ''],
    ['no country', '0151 23456789', 'XX', ''],
  ])('%s: %s in %s', async (_how, text, country, numbers) => {
    expect((await readings(text, country)).join(' ')).toBe(numbers);
  });

  it.each([
    ['+52 1 55 1234 5678', 'US', '+525512345678'],
    ['52 1 55 1234 5678', 'MX', '+525512345678'],
    ['011 52 1 55 1234 5678', 'US', '+525512345678'],
    ['044 55 1234 5678', 'MX', '+525512345678'],
    ['045 55 1234 5678', 'MX', '+525512345678'],
    ['01 55 1234 5678', 'MX', '+525512345678'],
    ['(11) 8765-4321', 'BR', '+5511987654321'],
    ['+55 31 8765-4321', 'DE', '+5531987654321'],
    ['0 15 11 8765-4321', 'BR', '+5511987654321'],
    ['09 8765 4321', 'CL', '+56987654321'],
    ['+225 07 12 34 56', 'FR', '+2250707123456'],
    ['44 12 34 56', 'CI', '+2250544123456'],
    ['+229 97 12 34 56', 'FR', '+2290197123456'],
    ['0121 234 5678', 'VN', '+84792345678'],
    ['+84 169 234 5678', 'US', '+84392345678'],
  ])('a former notation: %s in %s', async (text, country, number) => {
    expect(googleReading(text, country)).toBeNull();
    expect(await readings(text, country)).toEqual([number]);
  });

  const wide = (text: string) =>
    text
      .replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
      .replace('+', '\uff0b');
  const arabic = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
  it.each<[how: string, write: (text: string) => string]>([
    ['dashes that do not break', (text) => text.replaceAll(' ', '\u2011')],
    ['spaces that do not break', (text) => text.replaceAll(' ', '\u00a0')],
    ['spaces without a width', (text) => text.replaceAll(' ', '\u200b')],
    ['soft hyphens', (text) => text.replaceAll(' ', '\u00ad')],
    ['wide digits', wide],
    ['Arabic digits', arabic],
    ['bidi marks', (text) => `\u202a${text}\u202c\u200e`],
    ['bidi isolates', (text) => `\u2066${text}\u2069`],
    ['dots', (text) => text.replaceAll(' ', '.')],
    ['tabs and a new line', (text) => `${text.replaceAll(' ', '\t')}\n`],
    ['a URI', (text) => `tel:${text.replaceAll(' ', '-')}`],
    ['a comma behind it', (text) => `${text},`],
  ])('a number written with %s is the same number', async (_how, write) => {
    for (const [text, country] of [
      ['+49 1512 3456789', 'US'],
      ['01512 3456789', 'DE'],
      ['(11) 98765-4321', 'BR'],
      ['044 668 18 00', 'CH'],
      ['8 (912) 345-67-89', 'RU'],
    ] as const) {
      const known = googleReading(text, country);
      expect([text, await readings(write(text), country)]).toEqual([text, [known]]);
    }
  });

  it.each(['ext. 12', 'x12', '#12', ',12', ';ext=12', '/ 0151 2345678', 'mobile'])(
    'a number with more behind it, %s, is refused instead of cut or joined',
    async (more) => {
      expect(await readings(`+49 1512 3456789 ${more}`, 'DE')).toEqual([]);
      expect(await readings(`Call 01512 3456789 ${more}`, 'DE')).toEqual([]);
    },
  );

  it('a former notation of one country is none of another', async () => {
    expect(await readings('044 55 1234 5678', 'US')).toEqual([]);
    expect(await readings('52 1 55 1234 5678', 'US')).toEqual([]);
    expect(await readings('(11) 3765-432', 'BR')).toEqual([]);
  });

  it('every country’s example numbers are Google’s, national and international', async () => {
    for (const region of regions) {
      for (const example of examplesOf(region)) {
        for (const format of [Format.NATIONAL, Format.INTERNATIONAL, Format.RFC3966]) {
          const text = google.format(example, format);
          const [first] = await readings(text, region);
          expect([text, region, first]).toEqual([text, region, googleReading(text, region)]);
        }
      }
    }
  });

  it('every country’s call prefixes are Google’s', async () => {
    const [target = ''] = ['+4915123456789'];
    for (const region of regions) {
      for (const prefix of callPrefixes(region)) {
        const text = prefix + target.slice(1);
        const first = (await readings(text, region))[0] ?? null;
        const known = googleReading(text, region);
        if (known || !text.startsWith('00'))
          expect([text, region, first]).toEqual([text, region, known]);
      }
    }
  });
});
