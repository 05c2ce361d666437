import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Features, transform } from 'lightningcss';
import type { CSSOptions, Plugin, Rolldown } from 'vite';
import {
  classesOf,
  type StyleRule,
  type StyleSelector,
  type Stylesheets,
} from '../../worker/rendering/style-rule.ts';
import { outDir } from './environments.ts';

const file = () => `${outDir()}/styles/stylesheets.json`;
const namesFile = () => `${outDir()}/styles/class-names.json`;

/** The short names of the classes, as JSON. */
export const classNamesText = (): string =>
  existsSync(namesFile()) ? readFileSync(namesFile(), 'utf8') : '{}';

/** Class names follow the file name, so that all three builds agree on them. */
export const cssModules = {
  transformer: 'lightningcss',
  lightningcss: {
    cssModules: { pattern: '[name]-[local]' },
    // The fallback would split up the tokens, which do not use `light-dark()`.
    exclude: Features.LightDark,
    targets: { safari: (15 << 16) | (4 << 8), chrome: 99 << 16 },
  },
} satisfies CSSOptions;

type Part = Pick<StyleRule, 'within' | 'body'> & { selector: string };

function partsOf(css: string, within = ''): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < css.length; ) {
    const open = css.indexOf('{', from);
    let end = open + 1;
    for (let depth = 1; depth > 0; end++) {
      if (open < 0 || end >= css.length) throw new SyntaxError(`no rule: ${css.slice(from)}`);
      if (css[end] === '{') depth++;
      if (css[end] === '}') depth--;
    }
    const selector = css.slice(from, open);
    const body = css.slice(open + 1, end - 1);
    const isBlock = /^@(layer|media|supports)\b/.test(selector);
    if (isBlock) parts.push(...partsOf(body, within ? `${within}{${selector}` : selector));
    else parts.push({ within, selector, body });
    from = end;
  }
  return parts;
}

function selectorsIn(list: string): string[] {
  const selectors = [''];
  let depth = 0;
  for (const sign of list) {
    if (sign === '(') depth++;
    if (sign === ')') depth--;
    if (sign === ',' && depth === 0) selectors.push('');
    else selectors[selectors.length - 1] += sign;
  }
  return selectors;
}

function withClasses(selector: string): StyleSelector {
  let outside = selector.replace(/\[[^\]]*\]/g, '');
  while (/\([^()]*\)/.test(outside)) {
    outside = outside
      .replace(/:has\(([^(),]*)\)/g, ' $1')
      .replace(/(?<!:has)\([^()]*\)|\([^()]*,[^()]*\)/g, '');
  }
  const classes = [...outside.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);
  return classes.join() === classesOf(selector).join() ? selector : [selector, ...classes];
}

const facts = /:lang\(|\[(?:data-theme|data-fonts|data-kind|dir)=/;

/** A selector that contains a theme, direction, font, kind or languages, as rules for such pages only. */
function forPages({ selector, ...rest }: Part): StyleRule[] {
  if (/:not\([^)]*:lang\(/.test(selector)) {
    throw new Error(`Write a rule for all languages and one for the exception: ${selector}`);
  }
  const named = (pattern: RegExp) => pattern.exec(selector)?.[1];
  const only = {
    theme: named(/\[data-theme="?([\w-]+)/),
    direction: named(/\[dir="?(\w+)/),
    fonts: named(/\[data-fonts="?(\w+)/),
    kind: named(/\[data-kind="?(\w+)/),
  };
  // Tokens that apply to the whole page become one rule.
  const short = selector.replace(/^(:root:lang\(\w+\)|\[data-theme="?[\w-]+"?\])$/, ':root');
  const languages = [...selector.matchAll(/:lang\((\w+)\)/g)].map(([, language]) => language);
  if (languages.length === 0) return [{ ...rest, selectors: [withClasses(short)], only }];
  return languages.map((language) => {
    const one = short.replace(/:is\((?::lang\(\w+\),?)+\)/, `:lang(${language})`);
    return { ...rest, selectors: [withClasses(one)], only: { ...only, language } };
  });
}

const isWhole = /^:is\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)$/;

export function styleRulesIn(css: string): StyleRule[] {
  return partsOf(css).flatMap((part) => {
    const { selector, ...rest } = part;
    const all = selector.startsWith('@') ? [selector] : selectorsIn(selector);
    const everywhere = all.filter((one) => !facts.test(one));
    // The minifier joins rules with the same declarations; a page needs few of them.
    const joined = everywhere.filter((one) => isWhole.test(one));
    const apart = joined.flatMap((one) => selectorsIn(one.slice(':is('.length, -1)));
    const alone = everywhere.filter((one) => !isWhole.test(one)).map(withClasses);
    return [
      ...(alone.length > 0 ? [{ ...rest, selectors: alone }] : []),
      ...apart.map((one) => ({ ...rest, selectors: [withClasses(one)] })),
      ...all.flatMap((one) => (facts.test(one) ? forPages({ ...part, selector: one }) : [])),
    ];
  });
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;
const literals = /(['"`])(?:\\[\s\S]|(?!\1)[^\\])*\1/g;

/** Shared classes and tokens are found as words of strings, classes of CSS modules by their import. */
export function namedIn(sources: readonly string[], known: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const source of sources) {
    const strings = source.replace(comments, '').match(literals) ?? [];
    for (const [word] of strings.join(' ').matchAll(/[\w-]+/g)) names.add(word);
    for (const [, name, path = ''] of source.matchAll(
      /import (\w+) from '([^']+\.module)\.css'/g,
    )) {
      const prefix = `${basename(path).replace('.', '-')}-`;
      for (const [, local] of source.matchAll(new RegExp(`\\b${name}(?:\\.(\\w+)|\\[)`, 'g'))) {
        if (local) names.add(prefix + local);
        else for (const one of known) if (one.startsWith(prefix)) names.add(one);
      }
    }
  }
  // Lists in the same order are smaller when packed.
  return [...names].filter((name) => known.has(name)).sort();
}

/** What the styles depend on in a source file. */
export function stylesNamedIn(path: string): string {
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (path.endsWith('.css')) return source;
  const known = `${readFileSync(file(), 'utf8')}${classNamesText()}`.match(/[\w-]+/g);
  const imports = source.match(/^import.*|^\} from.*/gm) ?? [];
  return [...imports, ...namedIn([source], new Set(known))].join();
}

type Chunks = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>;

function chunksFrom(chunks: Chunks, name: string, seen = new Set<string>()): string[] {
  const chunk = chunks[name];
  if (chunk?.type !== 'chunk' || seen.has(name)) return [];
  seen.add(name);
  return [...chunk.imports.flatMap((one) => chunksFrom(chunks, one, seen)), name];
}

function cssOf(chunks: Chunks, name: string): string {
  const files = chunksFrom(chunks, name).flatMap((one) => {
    const chunk = chunks[one];
    return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
  });
  return [...new Set(files)]
    .map((css) => {
      const asset = chunks[css];
      return asset?.type === 'asset' ? String(asset.source).trim() : '';
    })
    .join('');
}

function stylesheetsOf(chunks: Chunks): Omit<Stylesheets, 'islands'> {
  const entries = Object.entries(chunks).flatMap(([file, chunk]) =>
    chunk.type === 'chunk' && chunk.isEntry ? [{ kind: chunk.name, file }] : [],
  );
  const shared = entries.find(({ kind }) => kind === 'document')?.file ?? '';
  const places = new Map<string, number>();
  const placeOf = (rule: StyleRule) => {
    const text = JSON.stringify(rule);
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  };
  const kinds = entries.map(({ kind, file }) => {
    const rules = styleRulesIn(cssOf(chunks, shared) + cssOf(chunks, file));
    return [kind, runsOf(rules.map(placeOf))];
  });
  return {
    rules: [...places.keys()].map((text) => JSON.parse(text) as StyleRule),
    kinds: Object.fromEntries(kinds),
  };
}

function runsOf(places: readonly number[]): [first: number, count: number][] {
  const runs: [first: number, count: number][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === place) last[1] += 1;
    else runs.push([place, 1]);
  }
  return runs;
}

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo' | 'getModuleIds'>;

/** Our source files that a module imports, statically or dynamically, and itself. */
function modulesFrom(graph: Graph, id: string, seen = new Set<string>()): Set<string> {
  if (seen.has(id) || !/\.tsx?$/.test(id) || id.includes('node_modules')) return seen;
  seen.add(id);
  const info = graph.getModuleInfo(id);
  for (const next of info?.importedIds ?? []) modulesFrom(graph, next, seen);
  for (const next of info?.dynamicallyImportedIds ?? []) modulesFrom(graph, next, seen);
  return seen;
}

/** Only files with markup set classes; any may read a token. */
function islandsIn(graph: Graph, rules: readonly StyleRule[]): Stylesheets['islands'] {
  const classes = rules.flatMap(({ selectors }) => selectors.flatMap(classesOf));
  const tokens = rules.flatMap(({ body }) => body.match(/--[\w-]+/g) ?? []);
  const known = new Set([...classes, ...tokens]);
  const islands = [...graph.getModuleIds()].filter((id) => /\/islands\/[\w-]+\.tsx$/.test(id));
  return Object.fromEntries(
    islands.map((id) => {
      const sources = [...modulesFrom(graph, id)].map((one) => {
        const source = readFileSync(one, 'utf8');
        return one.endsWith('.tsx') ? source : `'${(source.match(/--[\w-]+/g) ?? []).join(' ')}'`;
      });
      return [basename(id, '.tsx'), namedIn(sources, known)];
    }),
  );
}

const ofModules = /\b[\w-]+-module-[\w-]+/g;

/** Short names for classes and animations of CSS modules, because every page repeats them. */
export function shortNamesFor(text: string): Record<string, string> {
  const long = [...new Set(text.match(ofModules))];
  return Object.fromEntries(long.map((name, at) => [name, `_${at.toString(36)}`]));
}

export const shorten = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(ofModules, (name) => names[name] ?? name);

/** Writes the CSS of each kind of screen to a file, for the Worker's build. */
export const pageStyles: Plugin = {
  name: 'page-styles',
  applyToEnvironment: (environment) => environment.name === 'styles',
  writeBundle(_options, chunks) {
    const sheets = stylesheetsOf(chunks);
    const text = JSON.stringify({ ...sheets, islands: islandsIn(this, sheets.rules) });
    const names = shortNamesFor(text);
    writeFileSync(namesFile(), JSON.stringify(names));
    writeFileSync(file(), shorten(text, names));
  },
};

/**
 * A stylesheet as its short class names, for the code of the browser and the Worker, which are built later. They load
 * no CSS, because each page contains its own.
 */
export const classNames: Plugin = {
  name: 'class-names',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.name !== 'styles',
  resolveId: {
    filter: { id: /\.css$/ },
    handler: (source, importer = '') => `\0${resolve(dirname(importer), source)}.js`,
  },
  load: {
    filter: { id: /^\0.+\.css\.js$/ },
    handler(id) {
      const filename = id.slice(1, -'.js'.length);
      if (!filename.endsWith('.module.css')) return '';
      const code = readFileSync(filename);
      const { exports } = transform({ filename, code, ...cssModules.lightningcss });
      const short = JSON.parse(classNamesText());
      const names = Object.entries(exports ?? {}).map(([local, { name }]) => [
        local,
        short[name] ?? name,
      ]);
      return `export default ${JSON.stringify(Object.fromEntries(names))};`;
    },
  },
};

export function readStylesheets(): Stylesheets {
  const empty = { rules: [], kinds: {}, islands: {} };
  return existsSync(file()) ? JSON.parse(readFileSync(file(), 'utf8')) : empty;
}
