import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { scriptOf } from '../../locales/index.ts';

interface Subset {
  name: string;
  family: 'Inter' | 'Cairo';
  source: string;
  /** Characters as CSS writes them, `U+20-7E`. */
  range: string;
}

interface Format {
  ending: 'woff2' | 'ttf';
  /** One weight, or a range. */
  weight: number | { min: number; max: number };
}

interface Fonts {
  family: Subset['family'];
  script: string;
}

const inter = '@fontsource-variable/inter/files/inter';
const cairo = '@fontsource-variable/cairo/files/cairo';
const latin = 'U+20-7E,U+A0-FF,U+152-153,U+2010-2015,U+2018-201E,U+2022,U+2026,U+20AC,U+2212';
// Latin text on Arabic pages: numbers, e-mail addresses, product names.
const ascii = 'U+20-7E,U+A0,U+AB,U+BB,U+2010-2015,U+2018-201E,U+2026,U+20AC,U+2212';
const extended = 'U+100-151,U+154-17F,U+218-21B,U+1E9E,U+20A0-20AB,U+20AD-20BF';
const cyrillic = 'U+400-45F,U+490-491,U+2116';
const arabic = 'U+600-6FF';

const cut = (family: Subset['family'], from: string, part: string, range: string): Subset => ({
  name: `${family.toLowerCase()}-${part}`,
  family,
  source: `${from}-${part}-wght-normal.woff2`,
  range,
});

const subsets: readonly Subset[] = [
  cut('Inter', inter, 'latin', latin),
  cut('Inter', inter, 'latin-ext', extended),
  cut('Inter', inter, 'cyrillic', cyrillic),
  cut('Cairo', cairo, 'arabic', arabic),
  cut('Cairo', cairo, 'latin', ascii),
];

/** Fonts by script. Every operating system has good fonts for the others. */
const families: Record<string, Subset['family']> = { Latn: 'Inter', Cyrl: 'Inter', Arab: 'Cairo' };

const cache = '.cache/fonts';
const weights = { min: 400, max: 700 };
/** What a card's fields show: digits, a slash, and capitals for an example date. */
const ofFields = cut('Inter', inter, 'latin', 'U+20,U+2F-39,U+41-5A');
const locate = createRequire(import.meta.url).resolve;
const hashOf = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 10);
};

function charactersOf(range: string): Set<string> {
  const points = range.split(',').flatMap((part) => {
    const [from = 0, to = from] = part
      .slice(2)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
  });
  return new Set(points);
}

async function fileOf({ name, source, range }: Subset, format: Format): Promise<string> {
  const whole = readFileSync(locate(source));
  const kept = `${cache}/${name}.${hashOf(whole, range, JSON.stringify(format))}.${format.ending}`;
  if (existsSync(kept)) return kept;
  const bytes = await subsetFont(whole, [...charactersOf(range)].join(''), {
    targetFormat: format.ending === 'woff2' ? 'woff2' : 'truetype',
    variationAxes: { wght: format.weight },
  });
  mkdirSync(cache, { recursive: true });
  // Processes may run in parallel, and none may read an unfinished file.
  const unfinished = `${kept}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, kept);
  return kept;
}

export const systemFontFiles = (): Promise<string[]> =>
  Promise.all(
    [weights.min, weights.max].flatMap((weight) =>
      subsets.map((subset) => fileOf(subset, { ending: 'ttf', weight })),
    ),
  );

/** Letters missing in a language's font; a system font replaces them. */
export function lettersWithout(language: string, text: string): string[] {
  const family = families[scriptOf(language)];
  const covered = new Set(
    subsets.filter((one) => one.family === family).flatMap(({ range }) => [...charactersOf(range)]),
  );
  return [...new Set(text)].filter((letter) => /\p{L}/u.test(letter) && !covered.has(letter));
}

function subsetsFor(language: string): Subset[] {
  const texts = globSync(`locales/${language}/*.json`).map((file) => readFileSync(file, 'utf8'));
  const letters = [...new Set(texts.join(''))];
  return subsets.filter(({ family, range }) => {
    const covered = charactersOf(range);
    return family === families[scriptOf(language)] && letters.some((letter) => covered.has(letter));
  });
}

/** Fonts loaded from bytes are usable at once, and not a frame later. */
const give = `(family, weight, faces) => {
  for (const [range, data] of faces) {
    const text = atob(data);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    document.fonts.add(new FontFace(family, bytes, { weight, unicodeRange: range }));
  }
}`;

/** It blocks the first paint, so that text is laid out once; the previous page has prefetched it. */
async function scriptFor(wanted: readonly Subset[]): Promise<string> {
  const faces = wanted.map(async (subset) => {
    const file = await fileOf(subset, { ending: 'woff2', weight: weights });
    return [subset.range, readFileSync(file, 'base64')];
  });
  const values = [wanted[0]?.family, `${weights.min} ${weights.max}`, await Promise.all(faces)];
  return `(${give})(${values.map((value) => JSON.stringify(value)).join(',')})`;
}

async function make() {
  const byLanguage: Record<string, Fonts> = {};
  const files = new Map<string, string | Uint8Array>();
  // Payment providers' frames load it from where the script says.
  const fields = readFileSync(await fileOf(ofFields, { ending: 'woff2', weight: weights.min }));
  const fieldsFile = `static/fonts/inter-fields.${hashOf(fields)}.woff2`;
  files.set(fieldsFile, fields);
  for (const language of globSync('locales/*/errors.json').map((file) => basename(dirname(file)))) {
    const wanted = subsetsFor(language);
    const family = wanted[0]?.family;
    if (!family) continue;
    const at = family === 'Inter' ? `document.currentScript.dataset.fields='/${fieldsFile}';` : '';
    const text = at + (await scriptFor(wanted));
    const file = `static/fonts/${family.toLowerCase()}.${hashOf(text)}.js`;
    files.set(file, text);
    byLanguage[language] = { family, script: `/${file}` };
  }
  return { byLanguage, files };
}

let made: ReturnType<typeof make> | undefined;
const makeOnce = () => {
  made ??= make();
  return made;
};

/** Languages in other scripts have no entry. */
export const fontsByLanguage = async (): Promise<Record<string, Fonts>> =>
  (await makeOnce()).byLanguage;

export const fonts: Plugin = {
  name: 'fonts',
  applyToEnvironment: (environment) => environment.name === 'client',
  async generateBundle() {
    for (const [fileName, source] of (await makeOnce()).files) {
      this.emitFile({ type: 'asset', fileName, source });
    }
  },
};
