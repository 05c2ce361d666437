import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { scriptOf } from '../../locales/index.ts';

interface Subset {
  name: string;
  family: 'Inter' | 'Cairo';
  /** Module path of the whole font. */
  source: string;
  /** Characters as CSS writes them, `U+20-7E`. */
  range: string;
}

/** How a language's pages get their font. */
interface Fonts {
  family: Subset['family'];
  /** Path of the style sheet that holds it. */
  sheet: string;
}

const inter = '@fontsource-variable/inter/files/inter';
const cairo = '@fontsource-variable/cairo/files/cairo';
const latin = 'U+20-7E,U+A0-FF,U+152-153,U+2010-2015,U+2018-201E,U+2022,U+2026,U+20AC,U+2212';
// The rest of Arabic pages: figures, addresses, names of products.
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

/** Our own fonts, by script; all others have good ones in every system. */
const families: Record<string, Subset['family']> = { Latn: 'Inter', Cyrl: 'Inter', Arab: 'Cairo' };

const cache = '.cache/fonts';
const weights = { min: 400, max: 700 };
const locate = createRequire(import.meta.url).resolve;
const hashOf = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 10);
};

/** Every character of a range. */
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

/** The bytes of a subset: made, or those of an earlier build. */
async function bytesOf({ name, source, range }: Subset): Promise<Buffer> {
  const whole = readFileSync(locate(source));
  const kept = `${cache}/${name}.${hashOf(whole, range, JSON.stringify(weights))}.woff2`;
  if (existsSync(kept)) return readFileSync(kept);
  const bytes = await subsetFont(whole, [...charactersOf(range)].join(''), {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
  });
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, bytes);
  return bytes;
}

/** The subsets that the texts of a language are written with. */
function subsetsFor(language: string): Subset[] {
  const said = globSync(`locales/${language}/*.json`).map((file) => readFileSync(file, 'utf8'));
  const letters = [...new Set(said.join(''))];
  return subsets.filter(({ family, range }) => {
    const covered = charactersOf(range);
    return family === families[scriptOf(language)] && letters.some((letter) => covered.has(letter));
  });
}

/**
 * A style sheet that holds the fonts themselves. A page shows them when they are in the browser's
 * memory by its first paint, which they are once the page before has loaded them, or not at all.
 */
async function sheetOf(wanted: readonly Subset[]): Promise<string> {
  const rules = wanted.map(async (subset) => {
    const data = (await bytesOf(subset)).toString('base64');
    return (
      `@font-face{font-family:${subset.family};font-weight:${weights.min} ${weights.max};` +
      `font-display:optional;src:url(data:font/woff2;base64,${data})format("woff2");unicode-range:${subset.range}}`
    );
  });
  return (await Promise.all(rules)).join('');
}

async function make() {
  const byLanguage: Record<string, Fonts> = {};
  const sheets = new Map<string, string>();
  for (const language of globSync('locales/*/').map((folder) => basename(folder))) {
    const wanted = subsetsFor(language);
    const family = wanted[0]?.family;
    if (!family) continue;
    const css = await sheetOf(wanted);
    const file = `static/fonts/${family.toLowerCase()}.${hashOf(css)}.css`;
    sheets.set(file, css);
    byLanguage[language] = { family, sheet: `/${file}` };
  }
  return { byLanguage, sheets };
}

let made: ReturnType<typeof make> | undefined;
const makeOnce = () => {
  made ??= make();
  return made;
};

/** By language, how its pages get their font; one in another script has none of ours. */
export const fontsByLanguage = async (): Promise<Record<string, Fonts>> =>
  (await makeOnce()).byLanguage;

/** Puts the fonts among the files of the browser. */
export const fonts: Plugin = {
  name: 'fonts',
  applyToEnvironment: (environment) => environment.name === 'client',
  async generateBundle() {
    for (const [fileName, source] of (await makeOnce()).sheets) {
      this.emitFile({ type: 'asset', fileName, source });
    }
  },
};
