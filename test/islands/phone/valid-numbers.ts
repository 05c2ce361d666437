import type { CountryCode, PhoneNumber } from 'libphonenumber-js/core';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { seeded } from '../../seeded-random.ts';

type Country = [callingCode: string, ...unknown[]];
const countries = metadata.countries as unknown as Record<CountryCode, Country>;
/** Position of the patterns by type in a country's metadata. */
const typesAt = 11;

/** A random text that a pattern of alternatives, sets and repetitions matches. */
function textFrom(pattern: string, random: () => number): string {
  let at = 0;
  const pick = (choices: ArrayLike<string>) => choices[Math.floor(random() * choices.length)] ?? '';
  const atom = (): (() => string) => {
    const start = at;
    if (pattern.startsWith('(?:', at)) {
      at += 3;
      alternatives();
      at += 1;
      const end = at;
      return () => {
        at = start + 3;
        const text = alternatives();
        at = end;
        return text;
      };
    }
    at += pattern[at] === '[' ? pattern.indexOf(']', at) + 1 - at : pattern[at] === '\\' ? 2 : 1;
    const one = new RegExp(`^${pattern.slice(start, at)}$`);
    return () => pick([...'0123456789'].filter((digit) => one.test(digit)));
  };
  const sequence = (): string => {
    let text = '';
    while (at < pattern.length && !'|)'.includes(pattern[at] ?? '')) {
      const next = atom();
      const [all = '', least = '1', most = least] =
        /^\{(\d+)(?:,(\d+))?\}/.exec(pattern.slice(at)) ??
        (pattern[at] === '?' ? ['?', '0', '1'] : []);
      at += all.length;
      const behind = at;
      const times = Number(least) + Math.floor(random() * (Number(most) - Number(least) + 1));
      for (let left = times; left > 0; left -= 1) text += next();
      at = behind;
    }
    return text;
  };
  const alternatives = (): string => {
    const all = [sequence()];
    while (pattern[at] === '|') {
      at += 1;
      all.push(sequence());
    }
    return pick(all);
  };
  return alternatives();
}

/** Valid numbers of every country and type, always the same ones. */
export function validNumbers(perType: number): PhoneNumber[] {
  const random = seeded(7);
  return Object.entries(countries).flatMap(([country, plan]) =>
    ((plan[typesAt] ?? []) as ([string] | 0)[]).flatMap((type) =>
      Array.from({ length: type ? perType : 0 }, () => {
        const national = type ? textFrom(type[0], random) : '';
        return parsePhoneNumberFromString(`+${plan[0]}${national}`);
      }).flatMap((phone) => (phone?.isValid() && phone.country === country ? [phone] : [])),
    ),
  );
}
