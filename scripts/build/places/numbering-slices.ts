import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Metadata {
  version: number;
  country_calling_codes: Record<string, string[]>;
  countries: Record<string, unknown>;
}

const file = createRequire(import.meta.url).resolve('libphonenumber-js/metadata.min.json');
const metadata = JSON.parse(readFileSync(file, 'utf8')) as Metadata;

/** Countries (ISO 3166 alpha-2) by calling code, the main one first. */
export const countriesOf = metadata.country_calling_codes;

/** The numbering rules of each calling code alone, as libphonenumber-js/core takes them. */
export function numberingSlices(): Map<string, string> {
  return new Map(
    Object.entries(countriesOf).map(([calling, codes]) => {
      const countries = Object.fromEntries(codes.map((code) => [code, metadata.countries[code]]));
      const slice = {
        version: metadata.version,
        country_calling_codes: { [calling]: codes },
        countries,
        nonGeographic: {},
      };
      return [calling, JSON.stringify(slice)];
    }),
  );
}
