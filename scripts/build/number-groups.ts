import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A format of libphonenumber's metadata: pattern, format, first digits, national prefix rule. */
type Format = [pattern: string, format: string, starts?: string[], rule?: string | 0];

interface Metadata {
  country_calling_codes: Record<string, string[]>;
  countries: Record<string, unknown[]>;
}

const file = createRequire(import.meta.url).resolve('libphonenumber-js/metadata.min.json');
/** Positions of a country's formats and its national prefix in the metadata. */
const formatsAt = 4;
const prefixAt = 5;
/** A longer pattern distinguishes area codes in Japan; the shorter one before it is enough here. */
const maxStart = 600;

/** The first digits of a format: the later patterns are the more exact ones. */
const startOf = ([, , starts = []]: Format): string =>
  starts.findLast(({ length }) => length <= maxStart) ?? starts[0] ?? '';

/** Turns `(\d{3})(\d{3,4})` with the format `$1 $2` into `xxx xxxy`. */
function templateOf([pattern, format, , rule]: Format, prefix: string): string {
  const groups = [...pattern.matchAll(/\(\\d(?:\{(?:(\d+),)?(\d+)\})?\)/g)];
  const signs = (at: number) => {
    const [, least, most = '1'] = groups[at - 1] ?? [];
    return 'x'.repeat(Number(least ?? most)).padEnd(Number(most), 'y');
  };
  const follows =
    typeof rule === 'string' && rule.startsWith(prefix) ? rule.slice(prefix.length) : '';
  // A rule without the prefix applies to every number: `($1)`. Gabon's adds a digit, so it is left out.
  const applies = rule && (!prefix || !rule.includes(prefix)) && !/\d/.test(rule.replace('$1', ''));
  const first = applies ? format.replace('$1', rule) : format;
  const text = first.replace(/\$(\d)/g, (_all, at) => signs(Number(at)));
  // A leading space means that the national prefix is written separately.
  return !follows || follows.startsWith(' ') ? ` ${text}` : text;
}
/**
 * The first digits and `(xx) xxxx xxxx` for digits with the national prefix, where it is not merely put before the
 * rest; else null. Belarus writes `8 0` before its numbers, of which only the 8 is the prefix.
 */
function wholeOf(format: Format, prefix: string, start: string): string | null {
  const [pattern, digits, , rule] = format;
  if (!prefix || typeof rule !== 'string' || !rule.includes(prefix)) return null;
  if (new RegExp(`^${prefix} ?\\$1$`).test(rule)) return null;
  const [, before = '', after = ''] = /^(.*)\$1(.*)$/.exec(rule) ?? [];
  const [, more = ''] = before.replace(/\D/g, '').split(prefix);
  const written = `${before.replace(/\d/g, 'x')}$1${after}`;
  const template = templateOf([pattern, digits.replace('$1', written)], '').trimStart();
  return `^${more && start ? `${more}(?:${start})` : more + start}~${template}`;
}

/** The format of numbers by country (ISO 3166 alpha-2): see `group` in `islands/phone/number-groups.ts`. */
export function numberGroups(): Record<string, string> {
  const metadata: Metadata = JSON.parse(readFileSync(file, 'utf8'));
  const { country_calling_codes: codes, countries } = metadata;
  const groups = Object.values(codes ?? {}).flatMap((sharing) =>
    sharing.map((country) => {
      const own = countries[country] as Metadata['countries'][string];
      const main = countries[sharing[0] ?? country] as Metadata['countries'][string];
      const prefix = String(own[prefixAt] || '');
      // A format that adds digits (Argentina's `15`) would type them for the visitor, so it is left out.
      const all = (own[formatsAt] || main[formatsAt] || []) as Format[];
      const formats = all.filter(([, format]) => !/\d/.test(format.replace(/\$\d/g, '')));
      const templates = formats.map((format) => {
        const start = startOf(format).replaceAll('\\d', '#');
        const whole = wholeOf(format, prefix, start);
        const simple = `${start}~${templateOf(format, prefix)}`;
        return whole ? `${whole};${simple}` : simple;
      });
      return [country, [prefix, ...templates].join(';')] as const;
    }),
  );
  return Object.fromEntries(groups);
}
