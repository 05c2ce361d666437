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

/** Turns `(\d{3})(\d{3,4})` with the format `$1 $2` into `xxx xxxx`. */
function templateOf([pattern, format, , rule]: Format, prefix: string): string {
  const groups = [...pattern.matchAll(/\(\\d(?:\{(?:\d+,)?(\d+)\})?\)/g)];
  const follows =
    typeof rule === 'string' && rule.startsWith(prefix) ? rule.slice(prefix.length) : '';
  // A rule without the prefix applies to every number: `($1)`.
  const first = rule && !rule.includes(prefix) ? format.replace('$1', rule) : format;
  const text = first.replace(/\$(\d)/g, (_all, at) => 'x'.repeat(Number(groups[at - 1]?.[1] ?? 1)));
  // A leading space means that the national prefix is written separately.
  return !follows || follows.startsWith(' ') ? ` ${text}` : text;
}

/** `(xx) xxxx xxxx` for digits with the national prefix, where it is not merely put before the rest; else empty. */
function wholeTemplateOf(format: Format, prefix: string): string {
  const rule = format[3];
  if (!prefix || typeof rule !== 'string' || !rule.includes(prefix)) return '';
  if (new RegExp(`^${prefix} ?\\$1$`).test(rule)) return '';
  const withPrefix = rule.replace(prefix, 'x'.repeat(prefix.length));
  return templateOf([format[0], format[1].replace('$1', withPrefix)], '').trimStart();
}

/** The format of numbers by country (ISO 3166 alpha-2): see `group` in `islands/phone/number-groups.ts`. */
export function numberGroups(): Record<string, string> {
  const { country_calling_codes: codes, countries } = JSON.parse(readFileSync(file, 'utf8'));
  const groups = Object.values((codes ?? {}) as Metadata['country_calling_codes']).flatMap(
    (sharing) =>
      sharing.map((country) => {
        const own = countries[country] as Metadata['countries'][string];
        const main = countries[sharing[0] ?? country] as Metadata['countries'][string];
        const prefix = String(own[prefixAt] || '');
        // A format that adds digits (Argentina's `15`) would type them for the visitor, so it is left out.
        const all = (own[formatsAt] || main[formatsAt] || []) as Format[];
        const formats = all.filter(([, format]) => !/\d/.test(format.replace(/\$\d/g, '')));
        const templates = formats.map((format) => {
          const start = startOf(format).replaceAll('\\d', '#');
          const whole = wholeTemplateOf(format, prefix);
          const simple = `${start}~${templateOf(format, prefix)}`;
          return whole ? `^${start}~${whole};${simple}` : simple;
        });
        return [country, [prefix, ...templates].join(';')] as const;
      }),
  );
  return Object.fromEntries(groups);
}
