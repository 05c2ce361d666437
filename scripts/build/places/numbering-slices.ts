import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Metadata {
  version: number;
  country_calling_codes: Record<string, string[]>;
  countries: Record<string, unknown>;
}

const { resolve } = createRequire(import.meta.url);
const file = resolve('libphonenumber-js/metadata.min.json');
const examplesFile = resolve('libphonenumber-js/examples.mobile.json');
const examples = JSON.parse(readFileSync(examplesFile, 'utf8')) as Record<string, string>;
const metadata = JSON.parse(readFileSync(file, 'utf8')) as Metadata;

/** Countries (ISO 3166 alpha-2) by calling code, the main one first. */
export const countriesOf = metadata.country_calling_codes;

/**
 * The numbering rules of each calling code alone, as libphonenumber-js/core takes them, and an example
 * of each country's mobile numbers: `examples`, national digits by country.
 */
export function numberingSlices(): Map<string, string> {
  return new Map(
    Object.entries(countriesOf).map(([calling, codes]) => {
      const countries = Object.fromEntries(codes.map((code) => [code, metadata.countries[code]]));
      const slice = {
        version: metadata.version,
        country_calling_codes: { [calling]: codes },
        countries,
        nonGeographic: {},
        examples: Object.fromEntries(codes.map((code) => [code, examples[code]])),
      };
      return [calling, JSON.stringify(slice)];
    }),
  );
}
