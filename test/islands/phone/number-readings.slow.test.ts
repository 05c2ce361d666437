import { PhoneNumberFormat as Format, PhoneNumberType } from 'google-libphonenumber';
import { expect, it } from 'vitest';
import {
  callPrefixes,
  examplesOf,
  google,
  googleReading,
  readings,
  regions,
} from './google-number.ts';

/** Google's reading comes first. Where Google has none, only `00` is read beside it. */
async function compare(text: string, region: string): Promise<string | null> {
  const known = googleReading(text, region);
  const found = await readings(text, region);
  const isRight = known ? found[0] === known : found.length === 0 || /^0\D*0/.test(text);
  return isRight ? null : `${region} ${text}: ${found}, not ${known}`;
}

it('number readings: every selected country reads mobile numbers of all countries after its call prefixes as Google', {
  timeout: 600_000,
}, async () => {
  const targets = regions.flatMap((region) => {
    const mobile = google.getExampleNumberForType(region, PhoneNumberType.MOBILE);
    return mobile?.getNationalNumber() ? google.format(mobile, Format.E164).slice(1) : [];
  });
  // All countries with an own call prefix, and one of the many with 00 and 011.
  const plain = new Set(['00', '011']);
  const own = regions.filter((region) => callPrefixes(region).some((one) => !plain.has(one)));
  const wrong: (string | null)[] = [];
  // An eighth of the targets after each prefix, in turn; all in the full run.
  const step = process.env.FULL === '1' ? 1 : 8;
  for (const [at, region] of ([...own, 'DE', 'US'] as const).entries()) {
    for (const prefix of new Set([...callPrefixes(region), '00'])) {
      for (let to = at % step; to < targets.length; to += step)
        wrong.push(await compare(`${prefix}${targets[to]}`, region));
    }
  }
  expect(wrong.filter(Boolean)).toEqual([]);
});

it('number readings: carrier codes, and numbers as dialled from abroad, are read as Google', {
  timeout: 300_000,
}, async () => {
  const wrong: (string | null)[] = [];
  const carriers: Record<string, string[]> = {
    BR: ['12', '15', '21', '31', '41'],
    CO: ['3', '5', '7', '9'],
  };
  for (const region of regions) {
    for (const example of examplesOf(region)) {
      for (const from of ['US', 'AU', 'BR', 'RU', 'JP', 'SG', 'KR', 'CL', 'FI', 'HK']) {
        wrong.push(await compare(google.formatOutOfCountryCallingNumber(example, from), from));
      }
      for (const carrier of carriers[region] ?? []) {
        const text = `0 ${carrier} ${google.getNationalSignificantNumber(example)}`;
        wrong.push(await compare(text, region));
      }
    }
  }
  expect(wrong.filter(Boolean)).toEqual([]);
});
