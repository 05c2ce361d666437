import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

interface Subset {
  name: string;
  family: 'Inter' | 'Cairo';
  /** Module path of the whole font. */
  source: string;
  /** Characters as CSS writes them, `U+20-7E`. */
  range: string;
  /** Whether a document that shows the family asks for it at once. */
  first: boolean;
}

/** A subset of a font, made: its address, and its bytes. */
interface Face extends Subset {
  file: string;
  bytes: Buffer;
}

/** What a document has to write so that a family is there: CSS, and the files to ask for at once. */
interface Faces {
  css: string;
  first: string[];
}

const inter = '@fontsource-variable/inter/files/inter';
const cairo = '@fontsource-variable/cairo/files/cairo';
const latin = 'U+20-7E,U+A0-FF,U+152-153,U+2010-2015,U+2018-201E,U+2022,U+2026,U+20AC,U+2212';
// The rest of Arabic pages: figures, addresses, names of products.
const ascii = 'U+20-7E,U+A0,U+AB,U+BB,U+2010-2015,U+2018-201E,U+2026,U+20AC,U+2212';

const subsets: readonly Subset[] = [
  {
    name: 'inter-latin',
    family: 'Inter',
    source: `${inter}-latin-wght-normal.woff2`,
    range: latin,
    first: true,
  },
  {
    name: 'inter-latin-ext',
    family: 'Inter',
    source: `${inter}-latin-ext-wght-normal.woff2`,
    range: 'U+100-151,U+154-17F,U+218-21B,U+1E9E,U+20A0-20AB,U+20AD-20BF',
    first: false,
  },
  {
    name: 'inter-cyrillic',
    family: 'Inter',
    source: `${inter}-cyrillic-wght-normal.woff2`,
    range: 'U+400-45F,U+490-491,U+2116',
    first: false,
  },
  {
    name: 'cairo-arabic',
    family: 'Cairo',
    source: `${cairo}-arabic-wght-normal.woff2`,
    range: 'U+600-6FF',
    first: true,
  },
  {
    name: 'cairo-latin',
    family: 'Cairo',
    source: `${cairo}-latin-wght-normal.woff2`,
    range: ascii,
    first: true,
  },
];

const cache = '.cache/fonts';
const weights = { min: 400, max: 700 };
const locate = createRequire(import.meta.url).resolve;

function charactersOf(range: string): string {
  const points = range.split(',').flatMap((part) => {
    const [from = 0, to = from] = part
      .slice(2)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
  return String.fromCodePoint(...points);
}

async function cut(source: Buffer, range: string, kept: string): Promise<Buffer> {
  if (existsSync(kept)) return readFileSync(kept);
  const bytes = await subsetFont(source, charactersOf(range), {
    targetFormat: 'woff2',
    variationAxes: { wght: weights },
  });
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, bytes);
  return bytes;
}

/** Makes every subset, or takes it from the cache of an earlier build. */
async function makeFaces(): Promise<Face[]> {
  const faces: Face[] = [];
  for (const subset of subsets) {
    const source = readFileSync(locate(subset.source));
    const key = createHash('sha256')
      .update(source)
      .update(JSON.stringify([subset.range, weights]));
    const kept = `${cache}/${subset.name}.${key.digest('hex').slice(0, 12)}.woff2`;
    const bytes = await cut(source, subset.range, kept);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    faces.push({ ...subset, file: `static/fonts/${subset.name}.${hash}.woff2`, bytes });
  }
  return faces;
}

let made: Promise<Face[]> | undefined;
const allFaces = () => {
  made ??= makeFaces();
  return made;
};

const ruleOf = ({ family, file, range }: Face) =>
  `@font-face{font-family:${family};font-weight:${weights.min} ${weights.max};` +
  `font-display:optional;src:url(/${file})format("woff2");unicode-range:${range}}`;

/** What a document writes for each family. */
export async function facesByFamily(): Promise<Record<string, Faces>> {
  const families = Map.groupBy(await allFaces(), ({ family }) => family);
  return Object.fromEntries(
    [...families].map(([family, faces]) => [
      family,
      {
        css: faces.map(ruleOf).join(''),
        first: faces.filter(({ first }) => first).map(({ file }) => `/${file}`),
      },
    ]),
  );
}

/** Puts the fonts among the files of the browser. */
export const fonts: Plugin = {
  name: 'fonts',
  applyToEnvironment: (environment) => environment.name === 'client',
  async generateBundle() {
    for (const { file: fileName, bytes: source } of await allFaces()) {
      this.emitFile({ type: 'asset', fileName, source });
    }
  },
};
