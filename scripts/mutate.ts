import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Option } from 'commander';
import { parseSync } from 'vite';
import { type Import, importsOf } from '../test/import-graph.ts';
import { CommandError, npmCommand, print, runCommand, wholeNumber } from './command.ts';

interface Mutation {
  file: string;
  start: number;
  end: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  operator?: string;
  left?: Node;
  right?: Node;
  test?: Node | null;
  value?: unknown;
  directive?: unknown;
  declaration?: unknown;
}

/** Areas to mutate, with the share of mutations that tests must detect. */
const areas = [
  {
    name: 'rules',
    least: 0.95,
    files: globSync('worker/{**/rules,payments/{purchase,notices}}/**/*.ts'),
  },
  { name: 'islands', least: 0.9, files: globSync('islands/{runtime,stores}/**/*.{ts,tsx}') },
];

const swaps: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Types, imports and error messages are not behaviour. */
const ignored =
  /^(TS(?!(As|NonNull|Satisfies))|Import|Export(All|Named)Declaration$|JSXText|TemplateElement)/;

function mutationsOf(file: string): Mutation[] {
  const code = readFileSync(file, 'utf8');
  const found: Mutation[] = [];
  const add = ({ start, end }: Node, text: string) => found.push({ file, start, end, text });
  const source = ({ start, end }: Node) => code.slice(start, end);
  const visit = (node: Node) => {
    const { type, operator = '', left, right, test, value } = node;
    const swap = swaps[operator];
    if (swap && left && right) add(node, `${source(left)} ${swap} ${source(right)}`);
    if (/^(If|Conditional)/.test(type) && test) add(test, `!(${source(test)})`);
    if (type === 'ExpressionStatement' && !node.directive) add(node, ';');
    if (type === 'Literal' && typeof value === 'number') add(node, String(value * 2 || 1));
    if (type === 'Literal' && typeof value === 'boolean') add(node, String(!value));
    for (const inner of Object.values(node).flat()) {
      if (isNode(inner) && !ignored.test(inner.type)) visit(inner);
      // An exported declaration is behaviour, a list of exported names is not.
      else if (isNode(inner) && isNode(inner.declaration)) visit(inner.declaration);
    }
  };
  const { program } = parseSync(file, code);
  if (isNode(program)) visit(program);
  return found;
}

/** Pseudo-random numbers from 0 to 1, reproducible by seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const unitTests = globSync(
  'test/{worker/**/rules,worker/payments/{purchase,notices},islands,screens,locales,scripts}/**/*.test.{ts,tsx}',
);
/** These tests start a runtime, which takes seconds. */
const runtimeTests = globSync('test/worker/**/*.test.{ts,tsx}').filter(
  (file) => !unitTests.includes(file),
);
/** Tests import a module again where it keeps state. */
const dynamicImportsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/import\(\s*'(\.[^']+)'/g)].map(([, path = '']) => ({
    from: file,
    to: relative('.', join(dirname(file), path)),
    type: false,
  }));

const sources = globSync('{worker,islands,screens,locales,test}/**/*.{ts,tsx}');
const importers = Map.groupBy(
  [...sources.flatMap(importsOf), ...unitTests.flatMap(dynamicImportsOf)],
  ({ to }) => to,
);

/** Files that import a file, directly or indirectly; the nearest first. */
function importersOf(file: string): string[] {
  const reached = new Set([file]);
  for (const each of reached) {
    for (const { from, type } of importers.get(each) ?? []) if (!type) reached.add(from);
  }
  return [...reached];
}

/** Whether a test detects the mutation. Vitest reads it from the environment, so no file is changed. */
function isNoticed(mutation: Mutation): boolean {
  // A test of the same room states what its rules do; others reach them only on the way to something else.
  const [folder, room] = mutation.file.split('/');
  const isOther = (file: string) => Number(!file.startsWith(`test/${folder}/${room}/`));
  const near = importersOf(mutation.file).toSorted((a, b) => isOther(a) - isOther(b));
  const units = near.filter((each) => unitTests.includes(each));
  const runtime = near.filter((each) => runtimeTests.includes(each));
  const env = { ...process.env, SLOW: '1', MUTATION: JSON.stringify(mutation) };
  // Most mutations are detected by the nearest tests.
  return [units.slice(0, 3), units.slice(3), runtime.slice(0, 3)].some((files) => {
    // Vitest's module cache on disk would ignore the mutation.
    const args = ['run', '--fsModuleCache=false', '--bail=1', '--testTimeout=20000', ...files];
    // An endless loop has no exit status, and counts as detected.
    const run = { env, timeout: 180_000 };
    return files.length > 0 && spawnSync('vitest', args, run).status !== 0;
  });
}

interface Options {
  seed: number;
  count: number;
  area?: string;
}

function mutate({ seed, count, area }: Options): void {
  // Without a build the Worker's tests fail, so that every mutation would seem detected.
  if (!existsSync('dist/worker/wrangler.json')) {
    throw new CommandError('The tests need a build: run "npm run build" first.');
  }
  const weak: string[] = [];
  for (const { name, least, files } of areas) {
    if (area !== undefined && area !== name) continue;
    const random = randomOf(seed);
    const all = files.flatMap(mutationsOf);
    const sample = Array.from({ length: Math.min(count, all.length) }, () =>
      all.splice(Math.floor(random() * all.length), 1),
    ).flat();
    const missed = sample.filter((mutation) => !isNoticed(mutation));
    for (const { file, start, end, text } of missed) {
      const code = readFileSync(file, 'utf8');
      const line = code.slice(0, start).split('\n').length;
      print(`survived: ${file}:${line}: ${code.slice(start, end)} → ${text}`);
    }
    const noticed = sample.length - missed.length;
    print(`${name}: ${noticed} of ${sample.length} mutations caught, seed ${seed}`);
    if (noticed < least * sample.length) weak.push(name);
  }
  if (weak.length > 0) throw new CommandError(`Too many mutations survived in ${weak.join(', ')}.`);
}

const seeds = 1_000_000;

await runCommand(
  npmCommand(
    'node scripts/mutate.ts',
    'Changes random places of the sources, one at a time, runs the nearest tests, and prints the changes that no test detected.',
    '--seed 1 --area rules',
  )
    .option(
      '--seed <number>',
      'the same seed gives the same changes',
      wholeNumber(seeds),
      (Date.now() % seeds) + 1,
    )
    .option('--count <number>', 'changes per area', wholeNumber(10_000), 40)
    .addOption(new Option('--area <name>', 'one area only').choices(areas.map(({ name }) => name)))
    .action(mutate),
);
