import {
  type PhoneNumber as Parsed,
  PhoneNumberFormat,
  PhoneNumberType,
  PhoneNumberUtil,
} from 'google-libphonenumber';
import type { CountryCode, MetadataJson } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { readingsOf } from '../../../islands/phone/number-readings.ts';

export const google = PhoneNumberUtil.getInstance();
const plan = metadata as unknown as MetadataJson;
export const regions = Object.keys(plan.countries) as CountryCode[];

/** Valid in the metadata of one of the two packages only, which are of different months. */
const newer = new Set(['+2631312345', '+22985751234', '+22981123456']);

/** Google's own reading in E.164; null if it is invalid. */
export function googleReading(text: string, country: string): string | null {
  try {
    const parsed = google.parse(text, country);
    return google.isValidNumber(parsed) ? google.format(parsed, PhoneNumberFormat.E164) : null;
  } catch {
    return null;
  }
}

export const readings = async (text: string, country: string): Promise<string[]> =>
  (await readingsOf(text, country, async () => plan)).map(({ number }) => String(number));

/** Google's example numbers of a region, of every type. */
export function examplesOf(region: string): Parsed[] {
  const types = Object.values(PhoneNumberType).filter((type) => typeof type === 'number');
  const examples = types.map((type) => google.getExampleNumberForType(region, type));
  const has = (one: Parsed | null) =>
    one?.getNationalNumber() && !newer.has(google.format(one, PhoneNumberFormat.E164));
  return examples.filter(has);
}

/** Every text that a pattern of alternatives, sets and optional parts matches. */
function textsOf(pattern: string): string[] {
  let at = 0;
  const sequence = (): string[] => {
    let all = [''];
    while (at < pattern.length && !'|)'.includes(pattern[at] ?? '')) {
      let options: string[];
      if (pattern.startsWith('(?:', at)) {
        at += 3;
        options = alternatives();
        at += 1;
      } else if (pattern[at] === '[') {
        const end = pattern.indexOf(']', at);
        const set = new RegExp(pattern.slice(at, end + 1));
        options = [...'0123456789'].filter((digit) => set.test(digit));
        at = end + 1;
      } else if (pattern.startsWith('\\d', at)) {
        at += 2;
        options = [...'0123456789'];
      } else {
        options = [pattern[at] ?? ''];
        at += 1;
      }
      if (pattern[at] === '?') {
        at += 1;
        options = ['', ...options];
      }
      all = all.flatMap((start) => options.map((option) => start + option));
    }
    return all;
  };
  const alternatives = (): string[] => {
    const all = sequence();
    while (pattern[at] === '|') {
      at += 1;
      all.push(...sequence());
    }
    return all;
  };
  return [...new Set(alternatives())];
}

/** The call prefixes of a country. */
export const callPrefixes = (country: CountryCode): string[] =>
  textsOf(String(plan.countries[country]?.[1]));
